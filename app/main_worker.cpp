// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard-worker: the program that links LibTorch.
#include "app/manual/man_page.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/machine/program.h"
#include "engine/base/nearest_word.h"
#include "engine/base/result.h"
#include "engine/base/text/printable.h"
#include "engine/torch/serve/replica.h"
#include "engine/torch/worker/commands.h"
#include "engine/torch/worker/pool/pool.h"
#include "engine/torch/worker/pool/rank.h"
#include "engine/torch/worker/pool/rank_signals.h"

#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

namespace {

using Words = std::vector<std::string>;

// A command: what follows its name, what it does (for --help and the manual page), and its function.
struct Command {
    const char *name, *arguments, *help;
    int (*run)(const Words&); // null: takes over the process before anything else, see main()
    bool hidden = false;
};

int manualCommand(const Words& words);

constexpr Command kCommands[] = {
    {"rank", "", "one rank of a run; started by a supervisor, frames on stdin and stdout",
     [](const Words& words) { return trainyard::train::rankCommand(words); }},
    {"pool", "SOCKET", "forks ranks, warm; started by a supervisor, listens on descriptor 3", nullptr},
    {"describe", "", "what this build offers, as JSON",
     [](const Words&) { return trainyard::train::describeCommand(); }},
    {"preview", "[FILE] [--checkpoint CHECKPOINT]",
     "what a run file would train, as JSON (\"-\" or nothing: stdin), and whether it can begin with the checkpoint",
     trainyard::train::previewCommand},
    {"fits", "CHECKPOINT FILE", "whether a run of the file can begin with the checkpoint",
     trainyard::train::fitsCommand},
    {"export", "CHECKPOINT --format safetensors|state-dict|torchscript --out PATH [--force]",
     "writes the trained model to a file", trainyard::train::exportCommand},
    {"inspect", "FILE [--sample-shape 1,28,28 [--task TASK] [--outputs N]]",
     "what a TorchScript file or a plug-in is, as JSON; it is run in a sandbox only", trainyard::train::inspectCommand},
    {"data", "inspect|check FOLDER [--labels FILE [--column NAME]...] [--task TASK] [--fix]",
     "what a folder of pictures holds, or what is bad in it, as JSON", trainyard::train::dataCommand},
    {"predict", "CHECKPOINT INPUT... [--top N] [--continue N] [--temperature T] [--seed N]",
     "what a trained model says about inputs, as JSON", trainyard::train::predictCommand},
    {"evaluate", "CHECKPOINT... [--part train|validation|test]", "the metrics of checkpoints, as JSON",
     trainyard::train::evaluateCommand},
    {"weights", "FILE [--model NAME]", "what a file of weights holds, and how it fits a model, as JSON",
     trainyard::train::weightsCommand},
    {"answer", "", "keeps models in memory and answers questions, a line of JSON each",
     trainyard::train::answerCommand},
    {"serve", "FILE NAME VERSION THREADS INFO [behind]", "a replica of a service; started by its server",
     trainyard::train::serveCommand, true},
    {"probe", "", "the child of inspect", trainyard::script::probeCommand, true},
    {"manual", "FILE", "writes the manual page (for the build)", manualCommand, true},
};

std::string usageOf(const Command& command) {
    return std::string(command.name) + (*command.arguments ? " " : "") + command.arguments;
}

int showHelp(std::FILE* to) {
    std::string text = "trainyard-worker: trains, describes, previews and exports for Trainyard\n\n";
    for (const auto& each : kCommands) {
        if (each.hidden) continue;
        std::string line = "  trainyard-worker " + usageOf(each);
        const std::size_t column = 43;
        line += line.size() + 2 > column ? '\n' + std::string(column, ' ') : std::string(column - line.size(), ' ');
        text += line + each.help + '\n';
    }
    text +=
        "  trainyard-worker --version | --help\n\n"
        "Exit codes: 0 done, 1 the run failed, 2 the input is wrong, 3 the environment is, 130 stopped on request.\n";
    std::fputs(text.c_str(), to);
    return 0;
}

int manualCommand(const Words& words) {
    using namespace trainyard::manual;
    Page page{.name = "trainyard-worker", .summary = "trains, describes, previews and exports for Trainyard"};
    page.synopsis = {"trainyard-worker COMMAND [ARGUMENT]...", "trainyard-worker --help | --version"};
    page.parts.push_back({.title = "Description",
                          .paragraphs = {"The program of Trainyard that links LibTorch. The window, trainyardctl and "
                                         "the supervisors of runs start it; its commands print JSON. On other hosts it "
                                         "is copied where it is needed."}});
    Part commands{.title = "Commands"};
    for (const auto& each : kCommands)
        if (!each.hidden) commands.items.push_back({usageOf(each), each.help});
    page.parts.push_back(std::move(commands));
    for (auto* part : {exitCodes, environment, files}) page.parts.push_back(part());
    page.seeAlso = {"trainyard(1)", "trainyardctl(1)", "trainyard-run-file(5)"};
    if (words.size() != 1) return trainyard::exitCode(trainyard::ErrorKind::Input);
    const auto written = trainyard::writeFileAtomic(words.front(), toRoff(page));
    if (!written) std::fprintf(stderr, "%s\n", written.error().text().c_str());
    return written ? 0 : trainyard::exitCode(written.error().kind);
}

int dispatch(const std::string& command, const Words& arguments) {
    for (const auto& each : kCommands)
        if (command == each.name && each.run) return each.run(arguments);
    if (command == "--help" || command == "-h" || command == "help") return showHelp(stdout);
    if (command == "--version") return std::puts("trainyard-worker " TRAINYARD_VERSION), 0;
    Words known{"--help", "--version"};
    for (const auto& each : kCommands)
        if (!each.hidden) known.push_back(each.name);
    const std::string near = trainyard::nearestWord(command, known);
    std::fprintf(stderr, "unknown command \"%s\"%s\n", trainyard::printable(command).c_str(),
                 near.empty() ? ": see --help" : (" (did you mean \"" + near + "\"?)").c_str());
    return trainyard::exitCode(trainyard::ErrorKind::Input);
}

// The libraries that are loaded first make objects of their own before main(), and a limit (ulimit -v) may leave no
// memory for those: the dynamic linker calls this before it initialises them.
void beforeLibraries(int, char**, char**) { trainyard::train::endTellingOfMemory(); }
__attribute__((section(".preinit_array"), used)) void (*const s_beforeLibraries)(int, char**, char**) = beforeLibraries;

} // namespace

int main(int argc, char** argv) {
    trainyard::beginProgram("trainyard-worker");
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.empty()) {
        showHelp(stderr);
        return trainyard::exitCode(trainyard::ErrorKind::Input);
    }
    const auto command = [](const Words& all) {
        return trainyard::endProgram(dispatch(all.front(), {all.begin() + 1, all.end()}));
    };
    if (words.front() == "pool")
        return trainyard::train::poolCommand({words.begin() + 1, words.end()}, argv[1], command);
    const int code = command(words);
    std::fflush(nullptr);
    ::_exit(code); // LibTorch's own objects would be destroyed one by one, in a seventh of a short command's time
}
