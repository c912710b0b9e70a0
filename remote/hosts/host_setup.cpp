// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/hosts/host_setup.h"

#include "engine/base/math/sha256.h"

#include <array>

namespace trainyard::remote {
namespace {

// $1 the folder. The note of the last setup: a word and its digest.
constexpr const char* kReadSetup = R"sh(cat -- "$1/setup" 2> /dev/null || :)sh";

// $1 the folder. The log begins anew, and until the end nothing is noted.
constexpr const char* kBeginSetup = R"sh(
umask 077
mkdir -p -- "$1" && rm -f -- "$1/setup" && : > "$1/setup.log"
)sh";

// $1 the folder, $2 the command. When it fails the last lines of the log come out.
constexpr const char* kSetupStep = R"sh(
log=$1/setup.log
printf '$ %s\n' "$2" >> "$log" || exit 1
"${SHELL:-/bin/sh}" -c "$2" >> "$log" 2>&1
code=$?
[ "$code" = 0 ] || { printf 'exited with %s\n' "$code" >> "$log"; tail -n 20 -- "$log"; }
exit "$code"
)sh";

// $1 the folder, $2 the word, $3 the digest.
constexpr const char* kEndSetup = R"sh(
umask 077
printf '%s %s\n' "$2" "$3" > "$1/setup.$$" && mv -f -- "$1/setup.$$" "$1/setup"
)sh";

Result<void> noteSetup(SshSession& session, const std::string& folder, const char* script, SetupState state = {},
                       const std::string& digest = {}) {
    TY_ASSIGN(const ExecResult result, session.script(script, {folder, toString(state), digest}));
    if (!result.ok()) return notWritten(session, {"the log of the setup", folder, 0}, result);
    return {};
}

} // namespace

const char* toString(SetupState state) {
    static constexpr std::array kWords = {"none", "done", "due", "failed"};
    static_assert(kWords.size() == static_cast<std::size_t>(SetupState::Failed) + 1);
    return kWords[static_cast<std::size_t>(state)];
}

std::string SetupPlan::digest() const {
    if (commands.empty()) return {};
    Sha256 all;
    const auto add = [&all](const std::string& text) { all.add(text.c_str(), text.size() + 1); };
    for (const auto& [name, value] : environment) add(name + "=" + value);
    add({});
    for (const auto& command : commands) add(command);
    return all.hex();
}

std::string clusterFolder(const HostBasics& basics, const std::string& cluster) {
    return basics.cache + "/clusters/" + cluster;
}

Result<SetupState> readSetup(SshSession& session, const HostBasics& basics, const SetupPlan& plan) {
    if (plan.commands.empty()) return SetupState::None;
    TY_ASSIGN(const ExecResult result, session.script(kReadSetup, {clusterFolder(basics, plan.cluster)}));
    for (const SetupState state : {SetupState::Done, SetupState::Failed})
        if (result.out == std::string(toString(state)) + " " + plan.digest() + "\n") return state;
    return SetupState::Due;
}

Result<SetupEnd> runSetup(SshSession& session, const HostBasics& basics, const SetupPlan& plan,
                          const std::function<void(std::size_t)>& onStep, const std::function<bool()>& stop) {
    const std::string folder = clusterFolder(basics, plan.cluster);
    TY_TRY(noteSetup(session, folder, kBeginSetup));
    SetupEnd end;
    end.log = folder + "/setup.log";
    for (std::size_t i = 0; i < plan.commands.size() && end.failed == 0; ++i) {
        if (onStep) onStep(i + 1);
        const CommandWatch watch{[&end](std::string_view bytes, bool) { end.tail.append(bytes); }, stop};
        TY_ASSIGN(end.status, runWatched(session, {"/bin/sh", "-c", kSetupStep, "trainyard", folder, plan.commands[i]},
                                         plan.environment, watch));
        if (stop && stop()) return stoppedError("stopped in setup command " + std::to_string(i + 1));
        if (shellCode(end.status) != 0) end.failed = i + 1;
    }
    TY_TRY(
        noteSetup(session, folder, kEndSetup, end.failed == 0 ? SetupState::Done : SetupState::Failed, plan.digest()));
    return end;
}

} // namespace trainyard::remote
