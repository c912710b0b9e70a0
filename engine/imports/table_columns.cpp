// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/table_columns.h"

#include "engine/imports/numbers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace trainyard::imports {
namespace {

// "Wall time" is wall_time.
std::string plainName(std::string_view column) {
    std::string name;
    for (const char letter : column)
        name += letter == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return name;
}

} // namespace

ColumnMeaning meaningOf(std::string_view column) {
    using Role = ColumnMeaning::Role;
    struct Known {
        std::string_view name;
        Role role;
    };
    // Earlier ones come first where a table has several.
    static constexpr std::array kKnown{
        Known{"step", Role::Step},
        Known{"global_step", Role::Step},
        Known{"_step", Role::Step},
        Known{"training_iteration", Role::Step},
        Known{"iteration", Role::Step},
        Known{"time/total_timesteps", Role::Step},
        Known{"total_timesteps", Role::Step},
        Known{"timesteps_total", Role::Step},
        Known{"trainer/global_step", Role::Step},
        Known{"steps", Role::Step},
        Known{"global_steps", Role::Step},
        Known{"train_step", Role::Step},
        Known{"training_step", Role::Step},
        Known{"step_num", Role::Step},
        Known{"num_steps", Role::Step},
        Known{"timestep", Role::Step},
        Known{"timesteps", Role::Step},
        Known{"iterations", Role::Step},
        Known{"iter", Role::Step},
        Known{"iters", Role::Step},
        Known{"n_iter", Role::Step},
        Known{"iter_num", Role::Step},
        Known{"num_updates", Role::Step},
        Known{"episode", Role::Step},
        Known{"episodes", Role::Step},
        Known{"batch", Role::Step},
        Known{"batch_idx", Role::Step},
        Known{"batch_index", Role::Step},
        Known{"minibatch", Role::Step},
        Known{"epoch", Role::Epoch},
        Known{"epochs", Role::Epoch},
        Known{"epoch_num", Role::Epoch},
        Known{"time_s", Role::Time},
        Known{"time_total_s", Role::Time},
        Known{"time/time_elapsed", Role::Time},
        Known{"wall_time", Role::Time},
        Known{"_timestamp", Role::Time},
        Known{"timestamp", Role::Time},
        Known{"_runtime", Role::Time},
        Known{"relative_time_(wall)", Role::Time},
        Known{"series", Role::Name},
        Known{"metric", Role::Name},
        Known{"tag", Role::Name},
        Known{"key", Role::Name},
        Known{"value", Role::Value},
    };
    const std::string name = plainName(column);
    for (std::size_t at = 0; at < kKnown.size(); ++at)
        if (kKnown[at].name == name) return {kKnown[at].role, static_cast<int>(at)};
    return {};
}

bool isTrainingLoss(std::string_view column) {
    static constexpr std::array<std::string_view, 8> kLosses{"loss",     "train_loss", "training_loss",   "train/loss",
                                                             "val_loss", "valid_loss", "validation_loss", "val/loss"};
    return std::find(kLosses.begin(), kLosses.end(), plainName(column)) != kLosses.end();
}

bool isWandbsOwn(std::string_view column, std::string_view step) { return step == "_step" && column.starts_with('_'); }

std::optional<std::int64_t> RowSteps::next(Columns has, std::optional<double> step, std::optional<double> epoch) {
    std::optional<std::int64_t> found;
    if (!has.step && !has.epoch) {
        found = m_rows;
    } else if (has.step) {
        if (step) found = wholeNumber(*step);
        if (found) found = withinRun(*found, epoch);
    } else if (epoch) {
        found = wholeNumber(std::floor(*epoch));
        m_partsOfEpochs = m_partsOfEpochs || (found && *epoch != std::floor(*epoch));
    }
    m_rows += found.has_value();
    return found;
}

std::int64_t RowSteps::withinRun(std::int64_t step, std::optional<double> epoch) {
    if (!m_any) m_first = m_most = step;
    m_any = true;
    if (m_stride == 0 && step > m_most) m_stride = step - m_most;
    if (epoch) {
        while (m_epochs.size() > 1 && m_epochs.back().number > *epoch) m_epochs.pop_back(); // it was started again
        if (m_epochs.empty()) m_epochs.push_back({*epoch, 0});
        if (m_epoch && *epoch > *m_epoch && step < m_most) {
            const auto length = m_most - m_first + (m_stride > 0 ? m_stride : std::max<std::int64_t>(m_first, 1));
            m_epochs.push_back({*epoch, m_epochs.back().offset + length});
            m_most = step;
        }
        m_epoch = epoch;
    }
    m_most = std::max(m_most, step);
    return step + (m_epochs.empty() ? 0 : m_epochs.back().offset);
}

} // namespace trainyard::imports
