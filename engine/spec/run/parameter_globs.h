// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace trainyard::spec {

// Rule: which parameters a glob of a run file means.
// `*` stands for any characters, `?` for one; a layer's name means all in it ("layer1"). Time grows with the product of
// both lengths.
bool meansParameter(std::string_view glob, std::string_view parameter);

} // namespace trainyard::spec
