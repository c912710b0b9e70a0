// SPDX-License-Identifier: GPL-3.0-or-later
// What happens to the trials of a sweep, and what its scheduler wants done about it: values, without a clock.
#pragma once

#include "engine/base/result.h"
#include "engine/sweep/values/steering.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace trainyard::sweep {

// How a trial failed. `atMs` tells one failure of a trial from its next.
struct Failure {
    ErrorKind kind = ErrorKind::Run;
    ErrorCode code = ErrorCode::General;
    std::int64_t atMs = 0;
    bool isLike(const Failure& other) const { return kind == other.kind && code == other.code; }
};

// What a sweep has used so far: itself, and all of its trials together.
struct Spent {
    double seconds = 0, trainSeconds = 0, epochs = 0;
};

// A trial continues from the state that `donor` had at `t`, with these parameters.
struct Adoption {
    int donor = -1;
    double t = 0;
    spec::Params params{};
};

// A trial's `t` is how long it has trained, in the unit its run counts in: epochs or steps. Losses are smaller where a
// trial is better, whatever the score; one that is not finite is what training that went wrong measures.
struct Event {
    enum class Kind {
        Added,    // a trial that may be started; it has no parameters yet
        Started,  // with `params`, and what its searcher wants to remember in `memo`
        Report,   // measured `loss` at `t`
        Ended,    // by itself, with `loss` as its score
        Failed,   // as `failure` says
        Stopped,  // by the scheduler or a person, at `t`; also of one that is not to be started any more
        Adopted,  // has the state that `donor` had at `t`, and `params`; donor -1: there was none to be had
        SlotFree, // there is room for one trial more
        Passed,   // `loss`, here the value of a series, is beyond the limit of the sweep's stop rule `rule` at `t`
        Tick,     // so much is `spent`
        Steered,  // a person asked for `steering`
    };
    Kind kind = Kind::Added;
    int trial = -1;
    double t = 0;
    double loss = std::numeric_limits<double>::quiet_NaN();
    double second = std::numeric_limits<double>::quiet_NaN(); // of Report and Ended: the sweep's second series, if any
    spec::Params params{};
    std::vector<double> memo{};
    int rule = -1;
    Failure failure{};
    Spent spent{};
    Steering steering{};
    bool enqueued = false; // of Added: it is started before the others that wait
    int donor = -1;
};

// Why a trial was stopped or made to pause. `rung`, in the unit of t, is where it was judged; it was the `place`-th
// best of `of` there (it among them), and `cut` the largest loss that would have gone on. A loss that is not finite
// has no cut and no place; with a place, there was none by the scheduler's deadline.
struct Why {
    std::string rule; // the scheduler's name, or who asked for it (Steering::author)
    double rung = 0, loss = std::numeric_limits<double>::quiet_NaN(), cut = std::numeric_limits<double>::quiet_NaN();
    int place = 0, of = 0;
    bool isFinite() const { return std::isfinite(loss); }
};

// What a scheduler wants done.
struct Order {
    enum class Kind {
        Start,
        Resume, // one that pauses
        Pause,  // its slot is free, its state is kept
        Stop,   // for good
        End,    // for good, once it has saved: a rule or the end of the sweep, and no scheduler, wants it
        Adopt,  // what it has learned is dropped for the state that `donor` had at `t`; it pauses once it has that
    };
    Kind kind = Kind::Start;
    int trial = -1;
    Why why{};             // of Pause, Stop, End and Adopt
    spec::Params params{}; // of Start, from the searcher; of Adopt, to go on with
    int donor = -1;
    double t = 0;
};

inline constexpr double kNever = std::numeric_limits<double>::infinity();
inline constexpr double kNoCut = std::numeric_limits<double>::quiet_NaN(); // Why::cut of pairs of losses

} // namespace trainyard::sweep
