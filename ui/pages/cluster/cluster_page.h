// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

namespace trainyard::ui {

class LocalHostCard;
class RemoteHosts;

// Where runs can run: this computer, with live load, and the added hosts.
class ClusterPage : public Surface {
    Q_OBJECT
public:
    explicit ClusterPage(Workbench& bench, QWidget* parent = nullptr);
    // Opens the Add host panel; without remote hosts in this build it does nothing.
    void openAddHost();

private:
    Workbench& m_bench;
    RemoteHosts* m_remote = nullptr;
};

} // namespace trainyard::ui
