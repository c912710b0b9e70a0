// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/slurm/allocation.h"

#include "engine/base/text/printable.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstring>
#include <vector>

namespace trainyard::run {
namespace {

constexpr std::array<const char*, 7> kReasonWords{"exited",     "signalled",     "node-lost", "preempted",
                                                  "time-limit", "out-of-memory", "cancelled"};

// What Slurm's programs say of a job, whichever of them did.
struct JobFacts {
    std::string_view state, reason, exitCode, nodes; // "RUNNING", "None", "0:15", "n[1-2]"
    std::string_view tasks{};                        // of an array, "3-5%3"
    std::string_view runTime{}, timeLimit{};         // "00:59:01", "01:00:00"
    bool mayBeRequeued = false;
};

Error notUnderstood(std::string_view what) {
    return environmentError("Slurm's answer is not understood: \"" + printable(what) + "\"", "slurm",
                            "check what this prints: scontrol show job");
}

std::optional<int> number(std::string_view text) {
    int value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// "3:0": exit code and signal.
Result<Ended> endOf(std::string_view exitCode) {
    const auto colon = exitCode.find(':');
    if (colon == exitCode.npos) return notUnderstood(exitCode);
    const auto code = number(exitCode.substr(0, colon)), signal = number(exitCode.substr(colon + 1));
    if (!code || !signal) return notUnderstood(exitCode);
    if (*signal != 0) return Ended{EndReason::Signalled, *signal};
    return Ended{EndReason::Exited, *code};
}

struct StateRow {
    std::string_view word;
    enum class Kind { Waits, Runs, Ended, EndedByItself } kind;
    EndReason reason = EndReason::Exited;
};
using Kind = StateRow::Kind;
constexpr std::array kStates{
    StateRow{"PENDING", Kind::Waits},
    StateRow{"REQUEUED", Kind::Waits},
    StateRow{"REQUEUE_FED", Kind::Waits},
    StateRow{"REQUEUE_HOLD", Kind::Waits},
    StateRow{"SPECIAL_EXIT", Kind::Waits},
    StateRow{"CONFIGURING", Kind::Runs},
    StateRow{"RUNNING", Kind::Runs},
    StateRow{"SUSPENDED", Kind::Runs},
    StateRow{"STOPPED", Kind::Runs},
    StateRow{"SIGNALING", Kind::Runs},
    StateRow{"STAGE_OUT", Kind::Runs},
    StateRow{"RESIZING", Kind::Runs},
    StateRow{"COMPLETING", Kind::Runs},
    StateRow{"COMPLETED", Kind::EndedByItself},
    StateRow{"FAILED", Kind::EndedByItself},
    StateRow{"NODE_FAIL", Kind::Ended, EndReason::NodeLost},
    StateRow{"BOOT_FAIL", Kind::Ended, EndReason::NodeLost},
    StateRow{"PREEMPTED", Kind::Ended, EndReason::Preempted},
    StateRow{"TIMEOUT", Kind::Ended, EndReason::TimeLimit},
    StateRow{"DEADLINE", Kind::Ended, EndReason::TimeLimit},
    StateRow{"OUT_OF_MEMORY", Kind::Ended, EndReason::OutOfMemory},
    StateRow{"CANCELLED", Kind::Ended, EndReason::Cancelled},
    StateRow{"REVOKED", Kind::Ended, EndReason::Cancelled},
};

// To the limit.
std::optional<std::int64_t> secondsLeft(const JobFacts& facts) {
    const auto ran = slurmSeconds(facts.runTime), limit = slurmSeconds(facts.timeLimit);
    if (!ran || !limit) return std::nullopt;
    return *limit - *ran;
}

// sacct says "CANCELLED by 1000".
Result<Allocation> judge(const JobFacts& facts) {
    const auto word = facts.state.substr(0, facts.state.find_first_of(" +"));
    const auto row = std::ranges::find(kStates, word, &StateRow::word);
    if (row == kStates.end()) return notUnderstood(facts.state);
    switch (row->kind) {
    case Kind::Waits: return Allocation(Pending{printable(facts.reason)});
    case Kind::Runs: {
        TY_ASSIGN(auto nodes, expandNodeList(facts.nodes));
        return Allocation(Granted{std::move(nodes)});
    }
    case Kind::Ended: {
        TY_ASSIGN(auto ended, endOf(facts.exitCode));
        ended.reason = row->reason;
        return Allocation(ended);
    }
    case Kind::EndedByItself: break;
    }
    TY_ASSIGN(auto ended, endOf(facts.exitCode));
    const auto left = secondsLeft(facts);
    const bool hasStopped = ended.reason == EndReason::Exited && ended.code == exitCode(ErrorKind::Stopped);
    if (hasStopped && left && *left <= kNoticeSeconds + kNoticeEarlier) ended.reason = EndReason::TimeLimit;
    return Allocation(ended);
}

// The value of KEY in "KEY=value other=...", up to the next blank; nothing where the line has no such key.
std::optional<std::string_view> valueIn(std::string_view line, std::string_view key) {
    for (std::size_t at = 0; (at = line.find(key, at)) != line.npos; at += key.size()) {
        const auto begin = at + key.size();
        if ((at > 0 && line[at - 1] != ' ') || begin >= line.size() || line[begin] != '=') continue;
        return line.substr(begin + 1, line.find(' ', begin) - begin - 1);
    }
    return std::nullopt;
}

std::string_view takeLine(std::string_view& text) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    text = end == text.npos ? std::string_view() : text.substr(end + 1);
    return line;
}

// Of what `scontrol show job` printed of one. The job's command comes last and may hold anything; the name of the job
// is at the end of the first line.
Result<JobFacts> factsOfRecord(std::string_view text) {
    JobFacts facts;
    const auto whole = text;
    while (!text.empty()) {
        auto line = takeLine(text);
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        if (line.starts_with("Command=")) break;
        if (line.starts_with("JobId=")) {
            facts.tasks = valueIn(line, "ArrayTaskId").value_or("");
        } else if (line.starts_with("JobState=")) {
            facts.state = valueIn(line, "JobState").value_or("");
            facts.reason = valueIn(line, "Reason").value_or("");
        } else if (line.starts_with("Requeue=")) {
            facts.exitCode = valueIn(line, "ExitCode").value_or("");
            facts.mayBeRequeued = valueIn(line, "Requeue") == "1";
        } else if (line.starts_with("RunTime=")) {
            facts.runTime = valueIn(line, "RunTime").value_or("");
            facts.timeLimit = valueIn(line, "TimeLimit").value_or("");
        } else if (line.starts_with("NodeList=")) {
            facts.nodes = valueIn(line, "NodeList").value_or("");
        }
    }
    if (facts.state.empty()) return notUnderstood(whole);
    return facts;
}

// Of a line of sacct: State, ExitCode, Reason, NodeList.
Result<Allocation> judgeCells(std::string_view line) {
    std::array<std::string_view, 4> cells;
    auto rest = line;
    for (auto& cell : cells) {
        const auto end = rest.find('|');
        if ((end == rest.npos) != (&cell == &cells.back())) return notUnderstood(line);
        cell = rest.substr(0, end);
        if (end != rest.npos) rest.remove_prefix(end + 1);
    }
    return judge({cells[0], cells[2], cells[1], cells[3]});
}

} // namespace

const char* toString(EndReason reason) { return kReasonWords[static_cast<std::size_t>(reason)]; }

std::optional<EndReason> endReasonFromString(std::string_view word) {
    const auto found = std::ranges::find(kReasonWords, word, [](const char* each) { return std::string_view(each); });
    if (found == kReasonWords.end()) return std::nullopt;
    return static_cast<EndReason>(found - kReasonWords.begin());
}

std::string toText(const Allocation& allocation) {
    if (const auto* pending = std::get_if<Pending>(&allocation)) return "is pending (" + pending->reason + ")";
    if (const auto* granted = std::get_if<Granted>(&allocation)) {
        std::string names;
        for (const auto& node : granted->nodes) names += (names.empty() ? "" : ", ") + node;
        return "runs on " + (names.empty() ? "nodes to come" : names);
    }
    const auto& ended = std::get<Ended>(allocation);
    switch (ended.reason) {
    case EndReason::Exited: return "exited with " + std::to_string(ended.code);
    case EndReason::Signalled: {
        const char* name = ::sigabbrev_np(ended.code);
        return "was killed by " + (name ? "SIG" + std::string(name) : "signal " + std::to_string(ended.code));
    }
    case EndReason::NodeLost: return "lost a node";
    case EndReason::Preempted: return "was preempted";
    case EndReason::TimeLimit: return "was ended at its time limit";
    case EndReason::OutOfMemory: return "ran out of memory";
    case EndReason::Cancelled: return "was cancelled";
    }
    return {};
}

Result<Allocation> parseScontrolJob(std::string_view text) {
    TY_ASSIGN(const auto facts, factsOfRecord(text));
    return judge(facts);
}

bool isJobRunning(std::string_view text) {
    const auto facts = factsOfRecord(text);
    return facts && facts->state == "RUNNING";
}

std::optional<std::int64_t> slurmSeconds(std::string_view text) {
    const auto dash = text.find('-');
    const auto days = dash == text.npos ? std::optional(0) : number(text.substr(0, dash));
    auto rest = dash == text.npos ? text : text.substr(dash + 1);
    std::vector<int> parts;
    for (;;) {
        const auto colon = rest.find(':');
        const auto part = number(rest.substr(0, colon));
        if (!part || *part < 0) return std::nullopt;
        parts.push_back(*part);
        if (colon == rest.npos) break;
        rest.remove_prefix(colon + 1);
    }
    if (!days || *days < 0 || parts.size() > 3) return std::nullopt;
    // Alone they are minutes and seconds, after days hours and minutes.
    if (dash == text.npos && parts.size() < 3) parts.insert(parts.begin(), 0);
    parts.resize(3, 0);
    return ((std::int64_t{*days} * 24 + parts[0]) * 60 + parts[1]) * 60 + parts[2];
}

std::optional<std::int64_t> secondsToRequeue(std::string_view text) {
    const auto facts = factsOfRecord(text);
    if (!facts || facts->state != "RUNNING" || !facts->mayBeRequeued) return std::nullopt;
    return secondsLeft(*facts);
}

Result<TaskAllocations> parseScontrolTasks(std::string_view text) {
    TaskAllocations tasks;
    for (auto rest = text; !rest.empty();) {
        const auto end = rest.find("\nJobId=");
        const auto record = rest.substr(0, end);
        rest = end == rest.npos ? std::string_view() : rest.substr(end + 1);
        TY_ASSIGN(const auto facts, factsOfRecord(record));
        TY_ASSIGN(const auto numbers, expandTaskList(facts.tasks));
        TY_ASSIGN(const auto allocation, judge(facts));
        for (const int number : numbers) tasks[number] = allocation;
    }
    if (tasks.empty()) return notUnderstood(text);
    return tasks;
}

Result<std::optional<Allocation>> parseSacct(std::string_view text) {
    std::string_view last;
    while (!text.empty())
        if (const auto line = takeLine(text); !line.empty()) last = line;
    if (last.empty()) return std::optional<Allocation>();
    TY_ASSIGN(auto allocation, judgeCells(last));
    return std::optional(std::move(allocation));
}

Result<TaskAllocations> parseSacctTasks(std::string_view text) {
    TaskAllocations tasks;
    while (!text.empty()) {
        const auto line = takeLine(text);
        if (line.empty()) continue;
        const auto end = line.find('|');
        auto id = line.substr(0, end);
        const auto underscore = id.find('_');
        if (end == line.npos || underscore == id.npos) return notUnderstood(line);
        id.remove_prefix(underscore + 1);
        if (id.starts_with('[') && id.ends_with(']')) id = id.substr(1, id.size() - 2);
        TY_ASSIGN(const auto numbers, expandTaskList(id));
        TY_ASSIGN(const auto allocation, judgeCells(line.substr(end + 1)));
        for (const int number : numbers) tasks[number] = allocation;
    }
    return tasks;
}

} // namespace trainyard::run
