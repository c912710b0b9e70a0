// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

#include <QString>

namespace trainyard::testing {

// A run to be written into a workspace through the real store.
struct SampleRun {
    QString name;
    QString status = QStringLiteral("finished"); // as wire::toString(RunStatus)
    double lr = 0.1;
    QString model = QStringLiteral("mlp");
    QString tags{};
    int steps = 600;    // points of train/loss, lr and samples_per_s; val/accuracy has one each 60
    double best = 0.93; // where val/accuracy ends
    QString error{};
    QString sweep{};
    int trial = -1;
    int minutesAgo = 10;
};

// The run file of such a run, as the store keeps it.
std::string sampleRunJson(const SampleRun& run);
// Creates the run with its points, checkpoints, workers and log. Returns its id.
std::string addRun(store::Store& store, const store::Workspace& workspace, const SampleRun& run);
// Appends points [from, to) of a run made by addRun.
void addPoints(store::Store& store, const std::string& id, const SampleRun& run, int from, int to);
// A workspace with a dozen runs of every status and a sweep of four learning rates.
void fillSampleWorkspace(const store::Workspace& workspace);

} // namespace trainyard::testing
