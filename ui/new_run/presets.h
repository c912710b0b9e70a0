// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/catalog.h"
#include "engine/spec/run/run_spec.h"
#include "engine/spec/run/task_kind.h"

#include <cstdint>
#include <span>

namespace trainyard::ui {

// Settings that give a good curve on a few cores, on Fashion-MNIST by default.
struct Preset {
    const char* title; // English, of the context "trainyard::ui::Preset"
    const char* model;
    double lr;
    std::int64_t batch, epochs;
    spec::TaskKind task = spec::TaskKind::Classification;
    const char* dataset = nullptr; // null: the first run's
};

// A new run starts with the first one.
std::span<const Preset> presets();

// The run of a preset on a computer with this many cores; its model must be in the catalog.
spec::RunSpec presetRun(const Preset& preset, const spec::Catalog& catalog, int cores);

} // namespace trainyard::ui
