// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/table_columns.h"

#include <array>

namespace trainyard::imports {

ColumnMeaning meaningOf(std::string_view column) {
    using Role = ColumnMeaning::Role;
    struct Known {
        std::string_view name;
        Role role;
    };
    // Earlier ones come first where a table has several.
    static constexpr std::array kKnown{
        Known{"step", Role::Step},
        Known{"Step", Role::Step},
        Known{"global_step", Role::Step},
        Known{"_step", Role::Step},
        Known{"training_iteration", Role::Step},
        Known{"iteration", Role::Step},
        Known{"time/total_timesteps", Role::Step},
        Known{"total_timesteps", Role::Step},
        Known{"timesteps_total", Role::Step},
        Known{"epoch", Role::Epoch},
        Known{"Epoch", Role::Epoch},
        Known{"time_s", Role::Time},
        Known{"time_total_s", Role::Time},
        Known{"time/time_elapsed", Role::Time},
        Known{"wall_time", Role::Time},
        Known{"_timestamp", Role::Time},
        Known{"timestamp", Role::Time},
        Known{"series", Role::Name},
        Known{"metric", Role::Name},
        Known{"tag", Role::Name},
        Known{"key", Role::Name},
        Known{"value", Role::Value},
    };
    for (std::size_t at = 0; at < kKnown.size(); ++at)
        if (kKnown[at].name == column) return {kKnown[at].role, static_cast<int>(at)};
    return {};
}

} // namespace trainyard::imports
