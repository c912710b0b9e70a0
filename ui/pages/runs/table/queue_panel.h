// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/runs/queue_model.h"
#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

#include <QTimer>

class QListView;
class QMenu;
class QSpinBox;

namespace trainyard::ui {

// The queue below the runs table, shown while it has entries or is paused: the entries in order with the reason that
// each waits, buttons for the current one, the number of slots, and pause.
class QueuePanel : public Surface {
    Q_OBJECT
public:
    explicit QueuePanel(Workbench& bench, QWidget* parent = nullptr);

    QListView* view() const { return m_view; }
    QueueModel* model() const { return m_model; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* buildTop();
    QWidget* buildBottom();
    void buildSlots();
    void refresh();
    void showPaused(bool paused);
    void showCurrent();
    void fillMenu(QMenu& menu);
    void startCurrent();
    void moveCurrent(int by);
    void removeCurrent();
    bool canMove(int by) const;

    Workbench& m_bench;
    QueueModel* m_model;
    NumberLabel* m_note;
    QSpinBox* m_slots;
    QTimer m_slotsLater; // until the number has stopped changing
    QToolButton* m_pause;
    QListView* m_view;
    QWidget* m_bottom;
    QPushButton* m_start; // or tries a refused entry again
    QToolButton *m_up, *m_down, *m_remove;
};

} // namespace trainyard::ui
