// SPDX-License-Identifier: GPL-3.0-or-later
// The run file's "program": a run whose ranks are processes of a program of the user's, a train.py. RUN_FILE.md
// explains every field.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace trainyard::spec {

struct RunSpec;

// One argument's value, with its type. A list is for an argument that takes several.
using ArgumentValue =
    std::variant<bool, std::int64_t, double, std::string, std::vector<double>, std::vector<std::string>>;
// By the names that the program knows them by: "lr".
using ArgumentValues = std::map<std::string, ArgumentValue>;

// How a run reads what its program prints and reports.
struct ProgramMetrics {
    std::vector<std::string> patterns; // of printed lines: PCRE2 with the groups step, epoch, name and value
    std::string ranks = "0";           // whose metrics: 0, the first rank's; each; mean
    bool operator==(const ProgramMetrics&) const = default;
};

// How its checkpoints are found, besides by the names that are known.
struct ProgramCheckpoints {
    std::vector<std::string> patterns; // names with * and ?: "snapshot_*.bin"
    std::string copy = "none";         // which are also kept in the run's folder: none, best, all
    bool operator==(const ProgramCheckpoints&) const = default;
};

// How it is stopped: SIGTERM, and after these seconds SIGKILL.
struct ProgramStop {
    double graceSeconds = 60;
    bool group = false; // SIGTERM goes to its whole process group, data workers included
    bool operator==(const ProgramStop&) const = default;
};

// A file of settings that the program reads: it gets a copy with some of them changed.
struct ProgramConfig {
    std::string file;     // YAML, JSON or TOML; empty: there is none
    std::string argument; // which the copy's path is given to: "config"
    ArgumentValues set;   // by their paths in it: "train.lr"
    bool operator==(const ProgramConfig&) const = default;
};

// What each rank runs. Exactly one of script, module and command is given.
struct Program {
    std::string script{}, module{};     // of Python: "train.py", "pkg.train"
    std::vector<std::string> command{}; // of anything: {"./train", "--fast"}
    std::string interpreter{};          // a file, a virtual environment, conda:NAME; empty: found beside the script
    std::string folder{};               // it runs there; empty: the script's project
    ArgumentValues arguments{};         // or
    std::vector<std::string> words{};   // "arguments" as a list: words as they are on a command line
    std::string style = "auto";         // of `arguments`: auto, "--a b", "--a=b", "a=b"
    std::optional<ProgramConfig> config{};
    std::map<std::string, std::string> environment{};
    std::vector<std::string> secrets{}; // names of variables: taken from where it is started, and written nowhere
    ProgramMetrics metrics{};
    ProgramCheckpoints checkpoints{};
    std::vector<std::string> resume{}; // words added where there is a checkpoint: "--resume", "{checkpoint}"
    ProgramStop stop{};
    std::string code = "snapshot"; // what runs: snapshot, inPlace, shared
    std::string prepare{};         // shell text, once on each host: "module load cuda"
    std::string preload = "auto";  // off, auto, or modules: "torch,numpy"
    bool operator==(const Program&) const = default;

    // "train.py", "pkg.train", "./train": what a person calls it.
    std::string title() const;
};

// Rule: the defaults of a run file that has a "program".
// One worker, no score, and no length: the program knows when it ends.
RunSpec programRun(Program program);

// Rule: which fields of a run file mean nothing to a program.
// Their paths, each with what to write instead: refused in a file, and left out when one is written.
const std::map<std::string, std::string>& fieldsNotOfPrograms();

// "0.05", "true", "[a,b]": as a table shows it.
std::string argumentText(const ArgumentValue& value);

} // namespace trainyard::spec
