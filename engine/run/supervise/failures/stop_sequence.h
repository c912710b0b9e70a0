// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/wire/messages.h"

#include <optional>

namespace trainyard::run {

inline constexpr double kSaveSeconds = 20; // for a worker to save and stop
inline constexpr double kStopNowSeconds = 3;
inline constexpr double kSaveLimit = 300; // the same, while it is seen to write its checkpoint

// How the workers of a run end when a user stops it: a stop frame, then SIGTERM, then SIGKILL, each with its
// deadline. A value: the caller passes times in monotonic seconds.
// Before it, a program may be waited for until it has saved its next checkpoint; until then it trains on, is started
// again when it fails, and no deadline runs.
class StopSequence {
public:
    enum class Action {
        Wait,
        Ask,       // send every worker a stop frame with mode()
        Terminate, // send SIGTERM
        End        // nothing more is to be waited for: SIGKILL
    };
    struct Settings {
        double saveSeconds = kSaveSeconds;   // for a worker to save and stop
        double saveLimit = kSaveLimit;       // the same, while it is seen to write its checkpoint
        double nowSeconds = kStopNowSeconds; // to stop without saving
    };
    struct Workers {
        bool training = false;                  // one of them has begun to, so that there is something to save
        wire::Phase phase = wire::Phase::Start; // of rank 0
    };

    StopSequence() = default;
    explicit StopSequence(const Settings& settings) : m_settings(settings) {}

    // Where a run stands that is to stop at its next checkpoint.
    struct Moment {
        std::int64_t step = 0, wallMs = 0;
    };

    // False when this, or something stronger, was requested already.
    bool request(wire::StopMode mode);
    // Waits for a checkpoint that is newer than `from`. False when any stop was requested already.
    bool awaitCheckpoint(const Moment& from);
    bool awaitsCheckpoint() const { return m_awaited && !m_mode; }
    // Whether this checkpoint ends that wait: its last byte was written after the request. Where that is not known, and
    // where the clock was set back since (`nowMs`), its step is greater.
    bool isAwaited(std::int64_t step, std::optional<std::int64_t> changedMs, std::int64_t nowMs) const;
    explicit operator bool() const { return m_mode.has_value(); } // a stop was asked for
    wire::StopMode mode() const { return *m_mode; }
    // The ranks did not end when asked, and got signals.
    bool isForced() const { return m_stage >= Stage::Terminated; }

    // What to do now; call it until it returns End, once a stop was requested.
    Action next(double now, const Workers& workers);
    void relaunched() { m_asked.reset(); } // there are other workers, which have to be asked as well

private:
    enum class Stage { Asked, Terminated, Ended };
    bool isSaving(const Workers& workers) const;

    Settings m_settings;
    std::optional<Moment> m_awaited;
    std::optional<wire::StopMode> m_mode;
    std::optional<wire::StopMode> m_asked; // what the workers were asked for
    Stage m_stage = Stage::Asked;
    double m_deadline = 0, m_limit = 0; // of this stage; the same while a checkpoint is seen to be written
};

} // namespace trainyard::run
