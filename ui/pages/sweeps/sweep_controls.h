// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/sweeps/sweep_view.h"

#include <QTimer>

class QMenu;
class QSpinBox;
class QToolButton;

namespace trainyard::ui {

// The restriction for a brushed axis: the smallest part of its range that contains the brushes, or the listed values
// inside them. Nothing if no value lies inside.
std::optional<spec::Restriction> restrictionOf(const spec::Axis& axis, const QList<Span>& spans);

// Steers a sweep from its header: slots, pause, and a menu with the rest.
class SweepControls : public QWidget {
    Q_OBJECT
public:
    explicit SweepControls(const SweepContext& context, QWidget* parent = nullptr);
    void setSweep(const store::SweepRow& sweep);

private:
    void buildSlots();
    void fillMenu();
    void ask(const sweep::Steering& asked);
    void askForTrials();
    void enqueue();
    void restrict();
    bool isBrushed() const; // an axis of the space

    SweepContext m_context;
    QString m_sweep, m_name;
    bool m_paused = false, m_active = false;
    QSpinBox* m_slots;
    QToolButton *m_pause, *m_more;
    QMenu* m_menu;
    QTimer m_slotsLater; // one request for several steps
};

} // namespace trainyard::ui
