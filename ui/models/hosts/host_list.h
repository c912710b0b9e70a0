// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace trainyard::ui {

// The aliases of the hosts the user added; empty in a build without remote hosts.
QStringList hostAliases();

} // namespace trainyard::ui
