// SPDX-License-Identifier: GPL-3.0-or-later
// Which files of frameworks hold metrics.
#pragma once

#include "engine/program/metrics/program_sources.h"

#include <filesystem>
#include <optional>
#include <string>

namespace trainyard::program {

// How a file is read.
enum class FrameworkForm { EventFile, WandbLog, Table, JsonLines, JsonDocument, MlflowSeries, MlflowDatabase };
SourceKind sourceOf(FrameworkForm form);

// Whether a file may be one, by its name and its folders alone: others are never opened.
bool mayHoldMetrics(const std::filesystem::path& file);
// Whether a folder is worth a look: not environments, workspaces, caches, data of version control, hidden ones.
bool mayLeadToMetrics(const std::filesystem::path& folder);

// Rule: which of the files that a program writes are followed.
// By the content, whatever the name; nothing where it is none, or does not tell yet.
std::optional<FrameworkForm> formOf(const std::filesystem::path& file);

// What the names of an event file's series begin with, as TensorBoard tells folders apart: "validation/" for a folder
// of held-out data, "loss_train/" for one below another run's folder. Empty for a folder named by a time, a number or a
// version, and for the others.
std::string prefixOfFolder(const std::filesystem::path& folder, bool parentHasEvents);

} // namespace trainyard::program
