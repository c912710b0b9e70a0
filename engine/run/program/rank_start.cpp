// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/rank_start.h"

#include "engine/base/clock.h"
#include "engine/base/files/folders.h"
#include "engine/run/launch/pool/pool_connection.h"
#include "engine/run/launch/pool/pool_fingerprint.h"
#include "engine/run/launch/relay/relay.h"
#include "engine/run/launch/socket_path.h"
#include "engine/run/program/fork/fork_server.h"
#include "engine/run/program/fork/heavy_packages.h"
#include "engine/run/program/fork/import_variables.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <fstream>
#include <limits>

namespace trainyard::run {
namespace {

constexpr double kForkSeconds = 30; // for a server to import its modules and fork
constexpr double kLookEvery = 0.25, kLookFor = 30;
constexpr double kBlameSeconds = 60; // later, a failure is the script's own
constexpr double kNever = std::numeric_limits<double>::infinity();
// What a script needs of the packages that are most often the reason for it.
constexpr std::array<std::string_view, 2> kCore = {"numpy", "torch"};

std::string listOf(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

std::string scriptOf(const KeptRank& rank) {
    const auto& program = *rank.spec.program;
    return program.script.empty() ? "-m " + program.module + " in " + rank.command.folder.string()
                                  : rank.code.named(program.script);
}

program::Variables variablesOf(const std::vector<std::string>& environment) {
    program::Variables variables;
    for (const auto& each : environment)
        if (const auto equals = each.find('='); equals != each.npos && equals > 0)
            variables.emplace(each.substr(0, equals), each.substr(equals + 1));
    return variables;
}

// All that POSIX lets a variable be called; others cannot be handed on by their names.
std::vector<std::string> fitVariables(std::vector<std::string> environment) {
    std::erase_if(environment, [](const std::string& each) {
        const auto equals = each.find('=');
        return equals == each.npos || equals == 0;
    });
    return environment;
}

// A script of the shell, as pyenv has it, may choose another Python in another folder.
bool isBinary(const std::string& file) {
    std::array<char, 4> begin{};
    std::ifstream(file, std::ios::binary).read(begin.data(), begin.size());
    return begin == std::array{'\x7f', 'E', 'L', 'F'};
}

} // namespace

std::vector<std::string> modulesToFork(const StartFacts& facts) {
    using State = ScriptNote::State;
    const auto& [preload, note, isPython, ranks, mayRestart] = facts;
    if (!isPython || preload.mode == spec::Preload::Mode::Off || note.isDoubted() || note.state == State::Never)
        return {};
    if (preload.mode == spec::Preload::Mode::Named) return preload.modules;
    if (ranks > 1 && !mayRestart) return {};
    return note.modules;
}

bool mayBlameForking(const ExitStatus& status, bool hasPoint, double seconds) {
    if (hasPoint || seconds > kBlameSeconds) return false;
    if (!status.signalled) return status.code != 0;
    static constexpr std::array kOwn{SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS};
    return std::find(kOwn.begin(), kOwn.end(), status.code) != kOwn.end();
}

RankStart::RankStart(const KeptRank& rank, std::filesystem::path cache) {
    if (cache.empty()) cache = cacheFolder();
    if (auto preload = spec::parsePreload(rank.spec.program->preload)) m_facts.preload = *std::move(preload);
    m_facts.isPython = !rank.interpreter.empty() && m_facts.preload.mode != spec::Preload::Mode::Off;
    if (m_facts.isPython && !isBinary(rank.interpreter)) {
        m_facts.isPython = false;
        if (m_facts.preload.mode == spec::Preload::Mode::Named)
            m_notices.push_back("was started as a program, not forked as program.preload asks: " + rank.interpreter +
                                " is a script; name the Python that it starts as program.interpreter");
    }
    m_facts.ranks = rank.place.worldSize;
    m_facts.mayRestart = rank.spec.failure.maxRestarts > rank.place.restarts;
    if (!m_facts.isPython) return;
    if (!cache.empty()) m_file = noteFile(cache, scriptOf(rank), rank.interpreter);
    if (!m_file.empty()) m_facts.note = readNote(m_file);
    m_modules = modulesToFork(m_facts);
}

bool RankStart::forksWith(std::string_view package) const {
    return std::any_of(m_modules.begin(), m_modules.end(), [package](const std::string& module) {
        return std::string_view(module).substr(0, module.find('.')) == package;
    });
}

Result<RankProcess> RankStart::start(const KeptRank& rank, const Wait& wait) {
    if (m_facts.note.state == ScriptNote::State::Never && rank.place.rank == 0)
        m_lines.push_back("is started as a program: " + m_facts.note.reason + "; to have it forked again, remove " +
                          m_file.string());
    if (!m_modules.empty()) {
        if (auto forked = fork(rank, wait)) {
            if (rank.place.rank == 0) m_lines.push_back("forked from a Python that has imported " + listOf(m_modules));
            m_begun = monotonicSeconds();
            m_lookDue = m_begun;
            return RankProcess(std::move(forked));
        }
    }
    return startAsProgram(rank);
}

Result<RankProcess> RankStart::startAsProgram(const KeptRank& rank) {
    m_modules.clear();
    m_begun = monotonicSeconds();
    m_lookDue = m_facts.isPython && m_facts.preload.mode == spec::Preload::Mode::Auto ? m_begun : kNever;
    return RankProcess::start(rank.command);
}

std::unique_ptr<ForkedRank> RankStart::fork(const KeptRank& rank, const Wait& wait) {
    ForkReply reply;
    for (int tries = 0; tries < 2; ++tries) { // one that is out of date has to be replaced
        if (auto forked = asked(rank, wait, reply)) return forked;
        if (reply.kind != ForkReply::Kind::Gone) break;
    }
    cannot(reply);
    return nullptr;
}

std::unique_ptr<ForkedRank> RankStart::asked(const KeptRank& rank, const Wait& wait, ForkReply& reply) {
    const auto environment = fitVariables(environmentOf(rank.command));
    const auto fault = [&reply](const Error& error) {
        reply = {.reason = error.text()};
        return nullptr;
    };
    const auto folder = socketFolder();
    if (!folder) return fault(folder.error());
    auto line = reachForkServer({rank.interpreter, serverVariables(variablesOf(environment)), m_modules}, *folder);
    if (!line) return fault(line.error());
    const UniqueFd printed(::open(rank.command.printed.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    if (!printed) return fault(systemError("cannot be written", rank.command.printed.string()));
    auto life = sendForkRequest(line->get(),
                                {std::string(kRunVariable) + "=" + rank.place.run, earlyVariables(m_modules),
                                 rank.command.folder.string(), rank.command.words, environment},
                                printed.get());
    if (!life) return fault(life.error());
    const double until = monotonicSeconds() + kForkSeconds;
    std::array<char, kMaxForkReply> bytes;
    for (;;) {
        if (waitReadable(line->get(), 0)) break;
        if (monotonicSeconds() >= until) {
            reply = {.reason = "the fork server has not answered within " +
                               std::to_string(static_cast<int>(kForkSeconds)) + " s"};
            return nullptr;
        }
        wait(line->get(), until);
    }
    const ssize_t got = ::recv(line->get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    // One that ends just now says nothing.
    reply = got > 0 ? parseForkReply({bytes.data(), static_cast<std::size_t>(got)})
                    : ForkReply{.kind = ForkReply::Kind::Gone, .reason = "the fork server has ended"};
    if (reply.kind != ForkReply::Kind::Rank) return nullptr;
    return std::make_unique<ForkedRank>(*std::move(line), *std::move(life), reply);
}

void RankStart::cannot(const ForkReply& reply) {
    using Kind = ForkReply::Kind;
    if (reply.kind == Kind::Unfit) return refuse(reply.reason);
    const bool isUseless = reply.kind == Kind::Useless || reply.kind == Kind::Gone; // Gone twice: it cannot even start
    if (isUseless && m_facts.preload.mode == spec::Preload::Mode::Auto) {
        std::vector<std::string> core;
        for (const auto& module : m_modules)
            if (std::find(kCore.begin(), kCore.end(), module) != kCore.end()) core.push_back(module);
        if (core.empty() || core.size() == m_modules.size()) return refuse(reply.reason);
        m_facts.note.modules = core;
        m_facts.note.reason = reply.reason;
        m_lookDue = kNever;
        keep();
    }
    const auto why = reply.reason.empty() ? "the fork server gave no answer that is one" : reply.reason;
    m_lines.push_back("cannot be forked, and is started as a program: " + why);
    if (m_facts.preload.mode == spec::Preload::Mode::Named)
        m_notices.push_back("was started as a program, not forked as program.preload asks: " + why);
}

void RankStart::look(const RankProcess& process, double now) {
    if (now < m_lookDue) return;
    m_lookDue = now - m_begun > kLookFor || m_proven ? kNever : now + kLookEvery;
    if (m_facts.preload.mode != spec::Preload::Mode::Auto) return;
    for (auto& module : heavyPackagesOf(process.pid()))
        if (std::find(m_seen.begin(), m_seen.end(), module) == m_seen.end()) m_seen.push_back(std::move(module));
}

void RankStart::prove(const RankProcess* process) {
    using State = ScriptNote::State;
    if (m_proven || !m_facts.isPython) return;
    if (process && m_lookDue < kNever) {
        m_lookDue = 0;
        look(*process, monotonicSeconds());
    }
    m_proven = true;
    auto& note = m_facts.note;
    const bool asProgram = m_modules.empty();
    if (note.state == State::Doubted && asProgram) {
        note.state = State::Never;
        m_notices.push_back("is never forked again, as it does not fail when it is started as a program: " +
                            note.reason);
        return keep();
    }
    if (note.state == State::StoreDoubted && asProgram) {
        note.state = State::Fine;
        note.store = false;
        note.reason.clear();
        m_lines.push_back("does not fail when it is started as a program: forked, its ranks open their own store");
        return keep();
    }
    // Of a server that cannot have more, the note has as much as there can be.
    if (note.state == State::New || (note.state == State::Fine && note.reason.empty())) {
        std::sort(m_seen.begin(), m_seen.end());
        if (m_facts.preload.mode != spec::Preload::Mode::Auto || m_seen.empty() ||
            (note.state == State::Fine && note.modules == m_seen))
            return;
        // Another run of the script may have learnt more meanwhile.
        if (const auto now = m_file.empty() ? note : readNote(m_file); now.isDoubted() || now.state == State::Never)
            return;
        note.state = State::Fine;
        note.modules = m_seen;
        keep();
    }
}

void RankStart::doubt(const std::string& reason, bool hadStore) {
    m_facts.note.state = hadStore ? ScriptNote::State::StoreDoubted : ScriptNote::State::Doubted;
    m_facts.note.reason = reason;
    keep();
    m_lines.push_back("has failed before its first point, forked: it is started once as a program");
}

void RankStart::refuse(const std::string& reason) {
    m_facts.note.state = ScriptNote::State::Never;
    m_facts.note.reason = reason;
    keep();
    m_notices.push_back("is started as a program and never forked: " + reason);
}

// As a program it fails, too: forking it is not to blame.
void RankStart::fail() {
    if (m_proven || !m_facts.note.isDoubted() || !m_modules.empty()) return;
    m_facts.note.state = m_facts.note.modules.empty() ? ScriptNote::State::New : ScriptNote::State::Fine;
    m_facts.note.reason.clear();
    keep();
}

void RankStart::keep() {
    if (!m_file.empty()) writeNote(m_file, m_facts.note);
}

} // namespace trainyard::run
