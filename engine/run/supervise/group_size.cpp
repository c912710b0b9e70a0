// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/group_size.h"

#include "engine/spec/values/params.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trainyard::run {
namespace {

constexpr double kFirstPause = 20, kLongestPause = 600; // before what was left out is tried again

} // namespace

Result<void> GroupSize::ask(const wire::Command& command, bool fixed, bool paused) {
    const double wanted = command.value;
    if (m_settings.program) return inputError("a program that uses the library has a fixed number of workers");
    if (m_settings.most == 0) {
        const double most = std::clamp(wanted, std::max(2.0, static_cast<double>(m_settings.workers)), 1024.0);
        return inputError("scaling.elastic is not set, so the number of workers is fixed: stop it, then: trainyardctl "
                          "resume RUN --set 'scaling.elastic={\"min\":1,\"max\":" +
                          spec::toText(spec::Value(std::floor(most))) + "}'"); // an answer carries no remedy
    }
    if (fixed)
        return inputError(
            "over NCCL the ranks cannot regroup while they train: stop it, and fork it with another number of workers");
    if (paused) return inputError("it is paused: resume it first");
    if (!(wanted >= m_settings.fewest && wanted <= m_settings.most && wanted == std::floor(wanted)))
        return inputError("scaling.elastic allows " + std::to_string(m_settings.fewest) + " to " +
                          std::to_string(m_settings.most) + " workers, and " + spec::toText(spec::Value(wanted)) +
                          " were asked for");
    if (isAsked()) return inputError("its number of workers is being changed already");
    m_command = command;
    m_wish = Wish::Asked;
    return {};
}

GroupSize::Change GroupSize::next(double now, int ranks, bool settled) {
    const bool again = m_growAt && now >= *m_growAt;
    if ((!isAsked() && !again) || m_stage != Stage::Steady || !settled) return Change::None;
    m_growAt.reset();
    if (isAsked()) {
        m_wanted = static_cast<int>(m_command.value);
        m_wish = Wish::UnderWay;
    }
    if (m_wanted == ranks) return Change::Reached;
    return m_wanted > ranks ? Change::Grow : Change::Shrink;
}

std::optional<wire::Command> GroupSize::growFailed(double now, int ranks, bool hasRestarts) {
    if (std::exchange(m_wish, Wish::None) == Wish::None) {
        leftOut(now, hasRestarts);
        return {};
    }
    m_wanted = ranks;
    return m_command;
}

void GroupSize::leftOut(double now, bool hasRestarts) {
    if (!hasRestarts) return;
    m_growPause = std::clamp(2 * m_growPause, kFirstPause, kLongestPause);
    m_growAt = now + m_growPause;
}

void GroupSize::beginRegroup(double now) {
    m_stage = Stage::Forming;
    m_regroupBegan = now;
}

void GroupSize::announced() {
    if (m_stage == Stage::Forming) m_stage = Stage::Announced;
}

std::optional<double> GroupSize::endRegroup(double now) {
    if (m_stage != Stage::Announced) return {};
    m_stage = Stage::Steady;
    return now - m_regroupBegan;
}

std::optional<wire::CommandDone> GroupSize::answer(int ranks, std::int64_t step) {
    if (ranks == m_wanted) m_growPause = 0;
    if (m_wish != Wish::UnderWay) return {};
    m_wish = Wish::None;
    if (ranks == static_cast<int>(m_command.value)) return wire::answerTo(m_command, step);
    return wire::answerTo(m_command, step,
                          runError("the new ranks were lost while joining; continues with " + std::to_string(ranks) +
                                   (ranks == 1 ? " worker" : " workers"))
                              .withCode(ErrorCode::WorkerExited));
}

// A Resize that was under way is answered when they train.
void GroupSize::relaunched() {
    m_stage = Stage::Steady;
    m_growAt.reset();
    if (m_wish == Wish::UnderWay) m_wish = Wish::Asked;
}

} // namespace trainyard::run
