// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/sign_in.h"

namespace trainyard::ctl {

// Connects with questions to who sits at the terminal: whether to accept a new host key, and passphrases. Without a
// terminal the answer is no. Of several hosts that are connected to at once, one asks at a time. `yes`: accepts every
// new key, and says so.
remote::ConnectOptions askingOptions(bool yes);

} // namespace trainyard::ctl
