// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/new_run/run_file.h"

#include "engine/base/files/atomic_file.h"
#include "engine/spec/sweep/paths.h"
#include "engine/spec/sweep/sweep_spec.h"

namespace trainyard::ui {

Result<QString> readRunFile(const QString& path) {
    constexpr std::size_t kMostBytes = 4u << 20;
    const std::filesystem::path file = path.toStdString();
    TY_ASSIGN(const std::string text, readFile(file, kMostBytes));
    // Read by its path, so that errors name the file and a sweep finds the run file it refers to.
    std::string json;
    if (spec::isSweepFile(text)) {
        TY_ASSIGN(const auto sweep, spec::readSweepSpec(file));
        json = spec::toJson(sweep);
    } else {
        TY_ASSIGN(const auto run, spec::readRunSpec(file));
        json = spec::toJson(run);
    }
    return QString::fromStdString(spec::withAbsolutePaths(json, file.parent_path()));
}

} // namespace trainyard::ui
