// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/values/params.h"

#include <vector>

namespace trainyard::sweep {

// The parameters of one of very many trials, in a few bytes: names are stored once for all trials. Any thread.
class PackedParams {
public:
    PackedParams() = default;
    PackedParams(const spec::Params& params);
    operator spec::Params() const;
    bool operator==(const PackedParams&) const = default; // of equal parameters, to the bit

private:
    std::vector<char> m_bytes; // for each: the number of its name, the kind of its value, the value
};

} // namespace trainyard::sweep
