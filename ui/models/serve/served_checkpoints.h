// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/serve/values/service_spec.h"
#include "engine/store/store.h"

#include <QString>

#include <vector>

namespace trainyard::ui {

// A checkpoint that can be served.
struct ServedCheckpoint {
    QString title; // "fashion · epoch 5, best"
    serve::ServedModel model;
};
// Rule: what the window offers to serve.
// The checkpoints of all runs whose files are here, the newest run first and its best before its last; not those of
// programs, of which only TorchScript can be served, as a file. Any thread.
Result<std::vector<ServedCheckpoint>> servedCheckpoints(const store::Workspace& workspace);
// One of them, of a run that has this name.
ServedCheckpoint servedCheckpoint(const std::string& run, const store::CheckpointRow& row);
// A name for a service of this model that no other has: "fashion", "fashion-2".
QString freeServiceName(const std::string& run, const QStringList& taken);

} // namespace trainyard::ui
