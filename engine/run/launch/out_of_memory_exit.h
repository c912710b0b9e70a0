// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::run {

// Exit code of a rank that ends for lack of memory where it cannot send a frame: before it has a channel, or in a
// thread that does not catch the exception. No command of the programs ends with it.
inline constexpr int kOutOfMemoryExit = 112;

} // namespace trainyard::run
