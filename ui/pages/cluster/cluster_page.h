// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

namespace trainyard::ui {

class LocalHostCard;
class RemoteHosts;

// Where runs can run: this computer, live, and the hosts that were added.
class ClusterPlace : public Surface {
    Q_OBJECT
public:
    explicit ClusterPlace(Workbench& bench, QWidget* parent = nullptr);
    // Opens the Add host panel; without remote hosts in this build it does nothing.
    void openAddHost();

private:
    Workbench& m_bench;
    RemoteHosts* m_remote = nullptr;
};

} // namespace trainyard::ui
