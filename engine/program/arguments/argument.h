// SPDX-License-Identifier: GPL-3.0-or-later
// What a program takes on its command line, as values (ARGUMENTS.md).
#pragma once

#include "engine/program/arguments/python_value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::program {

// A line of a source file.
struct Place {
    std::string file; // relative to the script's folder where it lies below it
    std::int64_t line = 0;
};

// One argument of a program.
struct Argument {
    // What it does with its values.
    enum class Action { Store, StoreTrue, StoreFalse, StoreConst, Append, Extend, Count, Negatable, Other };

    std::string name;                 // of the value in the program: "batch_size"
    std::vector<std::string> flags{}; // "--batch-size", "-b"; of Hydra's "model.lr="; none: it is positional
    std::string type = "str";         // "str", "int", "float", "bool", else what converts it, as the source says it
    std::optional<Value> byDefault{}; // nothing where none is said and the argument must be given
    std::vector<Value> choices{};     // none: any
    std::string nargs{};              // "?", "*", "+", "2"; empty: one value, or none where the action takes none
    bool required = false;
    std::string help{}, group{}, subcommand{};
    Action action = Action::Store;
    Place place{};
    std::string computed{}; // what only Python can tell: "choices: sorted(models)"

    bool certain() const { return computed.empty(); }
    bool positional() const { return flags.empty(); }
};

const char* toString(Argument::Action action); // "store", "store_true"

// A place at which arguments may be that were not read.
struct Unread {
    Place place;
    std::string what; // "the name of an argument is computed: '--' + key"
};

// The package, or the manner, that makes a program take arguments.
enum class ArgumentStyle { None, Argparse, Dataclass, Tyro, Absl, Click, Fire, LightningCli, Hydra, Globals };
const char* toString(ArgumentStyle style); // "argparse"

// All that was found of a script.
struct ScriptArguments {
    ArgumentStyle style = ArgumentStyle::None;
    std::vector<Argument> arguments{}; // in the order of the source
    std::vector<Unread> unread{};
    std::string configFile{}; // of Hydra: where its settings are
    std::int64_t files = 0, bytes = 0;
};

} // namespace trainyard::program
