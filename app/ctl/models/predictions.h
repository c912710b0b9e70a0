// SPDX-License-Identifier: GPL-3.0-or-later
// What `predict` and services answer, as people read it.
#pragma once

#include "app/ctl/session.h"

namespace trainyard::ctl {

// A table of the inputs with what is likeliest of each, and texts with what continues them.
void printPredictions(const Json& answer);
// Of the inputs with a label: "accuracy 0.9500 (380 of 400)"; nothing for one alone.
void printAccuracy(const Json& answer);
// One line for each input: its label, the likeliest class and its probability; the labels that are given and the
// probability of the likeliest; or a column for each output.
void printPredictionsCsv(const Json& answer);

} // namespace trainyard::ctl
