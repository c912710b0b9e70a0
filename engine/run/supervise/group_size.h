// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/wire/messages.h"

#include <optional>
#include <string>

namespace trainyard::run {

// How many ranks a run should have, and when its group changes to that: because a user requested it, or to bring back
// ranks that could not be replaced (after 20 s, 40 s, ... 10 min). A value: the caller passes times in monotonic
// seconds.
class GroupSize {
public:
    struct Settings {
        int workers = 1;
        int fewest = 0, most = 0; // scaling.elastic; 0: the number is fixed
        bool program = false;     // ranks of a program of its own
    };
    enum class Change { None, Grow, Shrink, Reached }; // Reached: there are as many as were asked for
    explicit GroupSize(const Settings& settings) : m_settings(settings), m_wanted(settings.workers) {}

    int wanted() const { return m_wanted; }

    // Takes a user's Resize, or says why it cannot be. `fixed`: over NCCL ranks form no other group while they train.
    Result<void> ask(const wire::Command& command, bool fixed, bool paused);
    bool isAsked() const { return m_wish != Wish::None; }

    // What to do now; the request is in progress then, or has expired. `settled`: all ranks of the group train.
    Change next(double now, int ranks, bool settled);
    // More ranks could not be launched; gives the Resize to answer, if it was one.
    std::optional<wire::Command> growFailed(double now, int ranks, bool hasRestarts);
    // The others continue without some ranks; these are tried again later, as long as restarts are left.
    void leftOut(double now, bool hasRestarts);

    // The ranks are about to train on as another group: those that leave are ended, new ones are launched.
    void beginRegroup(double now);
    // The ranks know of the new group. Until then "all train" only means the old group.
    void announced();
    // All ranks train: the seconds that it took, if a new group had begun.
    std::optional<double> endRegroup(double now);
    // The answer to a Resize that was under way, when all ranks train.
    std::optional<wire::CommandDone> answer(int ranks, std::int64_t step);
    // All ranks are launched again, as many as are wanted.
    void relaunched();

private:
    enum class Stage { Steady, Forming, Announced };
    enum class Wish { None, Asked, UnderWay }; // a Resize

    Settings m_settings;
    int m_wanted;
    Stage m_stage = Stage::Steady;
    double m_regroupBegan = 0;
    Wish m_wish = Wish::None;
    wire::Command m_command;        // the Resize
    std::optional<double> m_growAt; // when what was left out is tried again
    double m_growPause = 0;         // before the last try
};

} // namespace trainyard::run
