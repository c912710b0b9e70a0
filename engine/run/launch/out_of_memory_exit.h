// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::run {

// The exit code of a rank's process that ends because it is given no memory, where it cannot say so in a frame: before
// it has a channel, or in a thread where nothing catches the exception. No command of the programs ends with it.
inline constexpr int kOutOfMemoryExit = 112;

} // namespace trainyard::run
