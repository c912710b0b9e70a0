// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/wire/messages_words.h"

#include "engine/base/text/printable.h"
#include "engine/base/text/sentence.h"

#include <array>

namespace trainyard::wire {
namespace {

// In the order of the enumerations.
constexpr std::array kPhases = {"start", "rendezvous", "load-data",  "first-step",
                                "train", "validate",   "checkpoint", "done"};
constexpr std::array kStopModes = {"save-and-stop", "stop-now", "kill", "at-checkpoint"};
constexpr std::array kCommandKinds = {"pause", "unpause", "checkpoint", "set-rate", "resize", "stacks"};
constexpr std::array kStatuses = {"queued",   "starting", "running", "paused", "restarting",
                                  "stopping", "finished", "stopped", "failed", "interrupted"};
constexpr std::array kActivities = {"work", "collective", "rendezvous"};
constexpr std::array kRankStatuses = {Engine::tr("starting"), Engine::tr("running"), Engine::tr("finished"),
                                      Engine::tr("failed"), Engine::tr("lost")};

const char* wordOf(const auto& words, auto value) {
    const auto index = static_cast<std::size_t>(value);
    return index < words.size() ? words[index] : "unknown";
}

template <class Enum>
bool find(const auto& words, std::string_view word, Enum& value) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (word != words[i]) continue;
        value = static_cast<Enum>(i);
        return true;
    }
    return false;
}

} // namespace

const char* toString(Phase phase) { return wordOf(kPhases, phase); }
const char* toString(StopMode mode) { return wordOf(kStopModes, mode); }
const char* toString(CommandKind kind) { return wordOf(kCommandKinds, kind); }
const char* toString(Activity activity) { return wordOf(kActivities, activity); }
const char* toString(RankStatus status) { return wordOf(kRankStatuses, status); }
const char* toString(RunStatus status) { return wordOf(kStatuses, status); }
bool fromWord(std::string_view word, Phase& value) { return find(kPhases, word, value); }
bool fromWord(std::string_view word, StopMode& value) { return find(kStopModes, word, value); }
bool fromWord(std::string_view word, CommandKind& value) { return find(kCommandKinds, word, value); }
bool fromWord(std::string_view word, Activity& value) { return find(kActivities, word, value); }
bool fromWord(std::string_view word, RankStatus& value) { return find(kRankStatuses, word, value); }
bool fromWord(std::string_view word, RunStatus& value) { return find(kStatuses, word, value); }
bool fromWord(std::string_view word, ErrorKind& value) {
    value = errorKindFromString(std::string(word));
    return true;
}
bool fromWord(std::string_view word, ErrorCode& value) {
    value = errorCodeFromString(word);
    return true;
}

CommandDone answerTo(const Command& command, std::int64_t step, const Result<void>& done) {
    return {command.id, command.kind, command.value, step, done ? Error{} : done.error()};
}

std::string RunState::leftText() const {
    if (processesLeft < 0) return {};
    const std::string unseen = unseenOn.empty() ? "" : "what is left on " + unseenOn + " cannot be seen";
    if (processesLeft == 0 && !unseen.empty()) return unseen;
    return std::to_string(processesLeft) + (processesLeft == 1 ? " process left" : " processes left") +
           (unseen.empty() ? "" : "; " + unseen);
}

Result<RunStatus> runStatusFromString(const std::string& word) {
    RunStatus status{};
    if (fromWord(word, status)) return status;
    return inputError("\"" + printable(word, 40) + "\" is not a state of a run");
}

bool isActive(RunStatus status) {
    switch (status) {
    case RunStatus::Queued:
    case RunStatus::Starting:
    case RunStatus::Running:
    case RunStatus::Paused:
    case RunStatus::Restarting:
    case RunStatus::Stopping: return true;
    case RunStatus::Finished:
    case RunStatus::Stopped:
    case RunStatus::Failed:
    case RunStatus::Interrupted:
    case RunStatus::Unknown: return false;
    }
    return false;
}

} // namespace trainyard::wire
