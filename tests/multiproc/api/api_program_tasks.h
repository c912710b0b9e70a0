// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <trainyard/train.h>

// Reports 1 for each task whose loss fell by a fifth at least, else by what it was divided.
void tasks(const trainyard::train::Config& config);
void loaders(const trainyard::train::Config& config); // what two loaders deal to the ranks
void means(const trainyard::train::Config& config);
void unlikeMetrics(const trainyard::train::Config& config); // which ends the run
