// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/unsaved_checkpoints.h"

#include <utility>

namespace trainyard::run {

void UnsavedCheckpoints::failed(std::int64_t step, Error cause) {
    ++m_count;
    m_last = m_newest = Failed{step, std::move(cause)};
}

std::string UnsavedCheckpoints::why(std::int64_t step) const {
    return m_last && m_last->step == step ? notSavedText(step, m_last->cause) : std::string();
}

std::optional<Error> UnsavedCheckpoints::atTheEnd(const std::string& ending, std::int64_t step,
                                                  std::optional<std::int64_t> newest) const {
    if (!m_last) return std::nullopt;
    const auto& cause = m_last->cause;
    const std::string left =
        newest ? "the newest saved one is from step " + std::to_string(*newest) : std::string("no other one is saved");
    return environmentError(ending + " to step " + std::to_string(step) +
                                ", but its last checkpoint could not be saved: " + cause.message + "; " + left,
                            cause.where, (cause.remedy.empty() ? "" : cause.remedy + ", then ") + "resume the run")
        .withCode(ErrorCode::CheckpointNotSaved);
}

std::string UnsavedCheckpoints::notice() const {
    if (m_last || !m_newest) return {};
    const std::string step = std::to_string(m_newest->step);
    const std::string which =
        m_count == 1
            ? "the checkpoint of step " + step + " could not be saved"
            : std::to_string(m_count) + " checkpoints could not be saved, the last of them that of step " + step;
    return which + ": " + m_newest->cause.message + "; the run's last one is saved";
}

std::string notSavedText(std::int64_t step, const Error& cause) {
    return "the checkpoint of step " + std::to_string(step) + " was not saved: " + cause.message +
           (cause.remedy.empty() ? "" : " (" + cause.remedy + ")");
}

} // namespace trainyard::run
