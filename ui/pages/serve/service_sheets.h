// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked before something is done to a service.
#pragma once

#include "ui/models/workbench.h"
#include "ui/widgets/sheets/sheet.h"

class QSpinBox;

namespace trainyard::ui {

// How many replicas a service keeps: as few while nobody asks, as many under load.
class ScaleSheet : public Sheet {
    Q_OBJECT
public:
    ScaleSheet(Workbench& bench, const serve::ServiceView& service, QWidget* parent);

    QSpinBox* least() const { return m_least; }
    QSpinBox* most() const { return m_most; }
    // Same as the button.
    void go();

private:
    void build(const QString& name);

    Workbench& m_bench;
    QString m_service;
    QSpinBox *m_least, *m_most;
};

inline constexpr int kMostReplicas = 64; // that the window offers
inline constexpr int kCountWidth = 64;   // design pixels of a field for their number

// Tells what happens, and stops the service if that is wanted.
void askToStop(Workbench& bench, const serve::ServiceView& service, QWidget* parent);
// The same for the kill of a replica, as a rehearsal of a crash.
void askToKill(Workbench& bench, const serve::ServiceView& service, int replica, QWidget* parent);

} // namespace trainyard::ui
