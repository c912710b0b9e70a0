// SPDX-License-Identifier: GPL-3.0-or-later
// The sweep file as a value: a run file and the parameters that vary. Its JSON form is in RUN_FILE.md.
#pragma once

#include "engine/spec/run_spec.h"

namespace trainyard::spec {

inline constexpr int kMaxTrials = 100'000; // of one sweep

// The values one field takes. Either `values`, or a range [from, to] with `count` points (grid) or draws (random).
struct Axis {
    std::string path; // "optimizer.lr"
    std::vector<Value> values;
    double from = 0, to = 0;
    bool logScale = false;
    int count = 0;
    bool whole = false; // the range takes whole numbers only; so by themselves are fields of the run file that hold one
    bool operator==(const Axis&) const = default;
};

// A sweep file as a value. RUN_FILE.md explains every field.
struct SweepSpec {
    int version = kRunFileVersion;
    std::string name;
    std::string runJson; // the base run file, as text (overrides are applied to it)
    std::vector<Axis> space;
    std::string search = "grid"; // grid, random
    int trials = 0;              // random: how many; grid: 0 = all
    int parallel = 0;            // trials side by side; 0: as many as this computer's cores allow
    std::string scoreBy = "val/accuracy", mode = "max";
    std::int64_t seed = 1;
    bool operator==(const SweepSpec&) const = default;
};

Result<SweepSpec> parseSweepSpec(std::string_view json, const std::string& file = {});
// A "runFile" entry is read relative to the sweep file.
Result<SweepSpec> readSweepSpec(const std::filesystem::path& file);
std::string toJson(const SweepSpec& spec);
// True when the file is a sweep file (has "space"); both kinds of file open the same way.
bool isSweepFile(std::string_view json);

// Each trial's parameters, in order: {path -> value}. Input when the space is empty, min > max or log of 0.
Result<std::vector<Params>> expandTrials(const SweepSpec& spec);
// The trial's own run file.
Result<RunSpec> trialSpec(const SweepSpec& spec, const Params& params, int index);

} // namespace trainyard::spec
