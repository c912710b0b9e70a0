// SPDX-License-Identifier: GPL-3.0-or-later
// Events of a sweep's trials, and the orders of its scheduler: values, without a clock.
#pragma once

#include "engine/base/result.h"
#include "engine/sweep/values/steering.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace trainyard::sweep {

// A trial's failure. `atMs` distinguishes it from the trial's next one.
struct Failure {
    ErrorKind kind = ErrorKind::Run;
    ErrorCode code = ErrorCode::General;
    std::int64_t atMs = 0;
    bool isLike(const Failure& other) const { return kind == other.kind && code == other.code; }
};

// Resources that a sweep has used: itself, and all its trials together.
struct Spent {
    double seconds = 0, trainSeconds = 0, epochs = 0;
};

// A trial continues from the state that `donor` had at `t`, with these parameters.
struct Adoption {
    int donor = -1;
    double t = 0;
    spec::Params params{};
};

// `t` is the trial's training length in the unit of its run: epochs or steps. Smaller losses are better, whatever the
// score; a loss that is not finite means that training went wrong.
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

// Why a trial was stopped or paused. `rung`, in the unit of t, is where it was judged; it was the `place`-th best of
// `of` trials there, itself included, and `cut` is the largest loss that goes on. A loss that is not finite has no cut
// and no place; if it has a place, the trial had no loss by the scheduler's deadline.
struct Why {
    std::string rule; // the scheduler's name, or who asked for it (Steering::author)
    double rung = 0, loss = std::numeric_limits<double>::quiet_NaN(), cut = std::numeric_limits<double>::quiet_NaN();
    int place = 0, of = 0;
    bool isFinite() const { return std::isfinite(loss); }
};

// An order of a scheduler.
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
