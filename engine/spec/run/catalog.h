// SPDX-License-Identifier: GPL-3.0-or-later
// What a worker offers: models, datasets, optimizers, schedules, losses and their parameters with ranges.
// `trainyard-worker describe` prints it as JSON; the window builds its forms from it and validation checks against it.
// Titles, help, units, tasks and the names of facts are marked for translation with Engine::tr().
#pragma once

#include "engine/base/result.h"
#include "engine/base/text/sentence.h"
#include "engine/spec/values/params.h"

#include <string_view>

namespace trainyard::spec {

enum class ParamType { Flag, Integer, Number, Text, IntegerList, Option, Path, NumberList };

// One parameter of a catalog entry: what a form shows and what validation checks.
struct ParamInfo {
    std::string name;  // the run file's key, camelCase: "weightDecay"
    std::string title; // the form's label: "Weight decay"
    ParamType type = ParamType::Number;
    Value defaultValue = 0.0;
    std::optional<double> min{}, max{}; // inclusive; of each element of a list
    bool minExclusive = false;          // true for lr: it must be > 0
    bool logScale = false;              // the natural scale of a slider or sweep
    std::vector<std::string> options{}; // for Option
    std::string unit{};                 // "epochs", "%"; may be empty
    std::string help{};                 // one sentence
};

// One model, dataset, optimizer, schedule or loss that a run file can name.
struct Entry {
    std::string name;  // the run file's word: "resnet18", "fashion-mnist", "adamw"
    std::string title; // "ResNet-18"
    std::string help;  // one sentence
    std::vector<ParamInfo> params{};
    bool available = true;     // false: a dataset whose files were not found, a device that is not there
    std::string unavailable{}; // why, and the remedy
    bool downloads = false;    // `trainyardctl datasets download NAME` brings it
    std::map<std::string, std::string> facts{}; // datasets: "samples", "classes", "shape"; models: "source"
    std::vector<std::string> tasks{};           // models, datasets, losses: the run file's words; empty: all
    const ParamInfo* find(const std::string& param) const;
    bool serves(const std::string& task) const;
};

// A device that the worker sees.
struct Device {
    std::string name;  // "cpu", "cuda:0"
    std::string title; // "AMD EPYC, 2 cores", "NVIDIA H200"
    std::int64_t memoryBytes = 0;
};

// Everything that a run file can name on this computer.
struct Catalog {
    std::string version;         // of the program
    std::string libtorchVersion; // "1.13.1"
    std::string blas;            // "OpenBLAS", "reference (slow)"
    std::vector<Entry> models, datasets, optimizers, schedules, losses;
    std::vector<std::string> precisions, backends;
    std::vector<Device> devices;
    static const Entry* find(const std::vector<Entry>& entries, const std::string& name);
};

std::string toJson(const Catalog& catalog); // indented, stable order
Result<Catalog> catalogFromJson(std::string_view text);

} // namespace trainyard::spec
