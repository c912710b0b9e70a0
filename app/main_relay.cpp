// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard-relay: stands for a rank on another host that the pool there has forked.
#include "app/manual/man_page.h"
#include "engine/base/files/atomic_file.h"
#include "engine/base/machine/program.h"
#include "engine/run/launch/relay/relay.h"
#include "engine/run/launch/spawn.h"
#include "engine/run/program/bond/supervisor_guard.h"
#include "engine/run/program/host_python.h"
#include "engine/run/program/keeper.h"

#include <cstdio>

namespace {

constexpr const char* kSummary = "stands for a worker that a warm pool has started on another host";

int writeManual(const std::string& file) {
    using namespace trainyard::manual;
    Page page{.name = "trainyard-relay", .summary = kSummary};
    page.synopsis = {"trainyard-relay rank",
                     "trainyard-relay guard FOLDER",
                     "trainyard-relay python INTERPRETER FOLDER PREPARE",
                     "trainyard-relay checkpoint PATH",
                     "trainyard-relay WORKER rank [SECONDS]",
                     "trainyard-relay attach WORKER LAUNCH",
                     "trainyard-relay --help | --version"};
    page.parts.push_back(
        {.title = "Description",
         .paragraphs = {"Supervisors of runs copy it to their hosts beside trainyard-worker and start it there over "
                        "SSH in place of each worker. It asks the host's pool, a trainyard-worker that has LibTorch "
                        "loaded, to fork the worker, and starts the pool if there is none. The pool ends after ten "
                        "minutes without work. Without a pool it starts the worker as a program.",
                        "It passes signals on to the worker and ends as the worker does. When it is killed, so is the "
                        "worker.",
                        "As trainyard-relay rank it stands for a rank of a program run: it starts the user's program, "
                        "reads its metrics and its output, stops it, and leaves none of its processes behind. Before "
                        "the start it says which Python and PyTorch the host has, and before a restart whether a "
                        "checkpoint there is whole.",
                        "As trainyard-relay guard it waits beside the supervisor of such a run, and starts another one "
                        "if that is killed.",
                        "With SECONDS the worker continues while the connection is lost. The relay keeps its output, "
                        "and a supervisor that returns within that time reconnects with attach."}});
    for (auto* part : {exitCodes, environment}) page.parts.push_back(part());
    page.seeAlso = {"trainyard-worker(1)", "trainyardctl(1)"};
    const auto written = trainyard::writeFileAtomic(file, toRoff(page));
    if (!written) std::fprintf(stderr, "%s\n", written.error().text().c_str());
    return written ? 0 : trainyard::exitCode(written.error().kind);
}

} // namespace

int main(int argc, char** argv) {
    trainyard::beginProgram("trainyard-relay");
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() == 1 && words[0] == "--version")
        return trainyard::endProgram((std::puts("trainyard-relay " TRAINYARD_VERSION), 0));
    if (words.size() == 1 && words[0] == "--help")
        return trainyard::endProgram((std::printf("trainyard-relay WORKER rank [SECONDS]: %s\n", kSummary), 0));
    if (words.size() == 2 && words[0] == "manual") return writeManual(words[1]); // for the build
    if (words.size() == 1 && words[0] == "rank") return trainyard::run::keepProgram();
    if (words.size() == 2 && words[0] == trainyard::run::kGuardWord)
        return trainyard::run::guardSupervisor(words[1], trainyard::run::kGuardLine);
    if (trainyard::run::isAnswerCommand(words)) return trainyard::endProgram(trainyard::run::answerCommand(words));
    return trainyard::run::relayCommand(words);
}
