// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/text/sentence.h"
#include "engine/spec/sweep/space_point.h"

#include <array>
#include <optional>
#include <string>

namespace trainyard::sweep {

// A person's request to a sweep, while it runs or after. The judge decides whether it is possible (Judge::check), and
// what follows.
struct Steering {
    enum class Verb {
        Stop,     // `trial` saves and ends
        Kill,     // `trial` ends without saving, and is never begun again
        Promote,  // `trial`, which pauses or was stopped, trains on to its end; its scheduler no longer judges it
        Retry,    // `trial`, which failed, is tried again
        Add,      // `count` configurations more
        Enqueue,  // `params` are the next configuration to start
        Restrict, // an axis has only what `restriction` leaves of it, from the next draw on
        Set,      // `parallel` and `trials`
        Pause,    // nothing new starts; what trains goes on
        Resume,
        Finish, // nothing new starts; what trains does so to its end, and then the sweep is finished
    };
    Verb verb = Verb::Pause;
    int trial = -1, count = 0;
    spec::Params params{};
    spec::Restriction restriction{};
    std::optional<int> parallel{}, trials{}; // as in a sweep file
    std::string author{};                    // user@host
    std::int64_t atMs = 0;
    bool operator==(const Steering&) const = default;
};

inline constexpr std::array<std::pair<Steering::Verb, const char*>, 11> kVerbs = {{
    {Steering::Verb::Stop, "stop"},
    {Steering::Verb::Kill, "kill"},
    {Steering::Verb::Promote, "promote"},
    {Steering::Verb::Retry, "retry"},
    {Steering::Verb::Add, "add"},
    {Steering::Verb::Enqueue, "enqueue"},
    {Steering::Verb::Restrict, "restrict"},
    {Steering::Verb::Set, "set"},
    {Steering::Verb::Pause, "pause"},
    {Steering::Verb::Resume, "resume"},
    {Steering::Verb::Finish, "finish"},
}};
// "promote": the word of the record and of the terminal.
const char* toString(Steering::Verb verb);
// Whether the request is about one trial.
bool isOfTrial(Steering::Verb verb);
// Whether the request needs training, so that a sweep without a supervisor gets one.
bool asksForTraining(Steering::Verb verb);

// The request as JSON for the record, and back, without trial, author and time, which have columns of their own.
// Input: an unknown request.
std::string bodyOf(const Steering& steering);
Result<Steering> steeringFromBody(std::string_view body);
// In words, for people: "promoted trial 3", "restricted optimizer.lr=0.001..0.1".
Sentence describe(const Steering& steering);

// The answer to a request as stored, and back: the trial that it concerns or the first new one, -1 for none; or the
// reason for the refusal.
std::string answerText(const Result<int>& answer);
Result<int> answerFrom(std::string_view text);

// The author of requests from this process: user@host.
std::string authorHere();

} // namespace trainyard::sweep
