// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/desktop/settings.h"
#include "ui/pages/sweeps/sweep_view.h"

class QComboBox;
class QHBoxLayout;
class QStackedWidget;
class QToolButton;

namespace trainyard::ui {

class SegmentedControl;

// Several views of a sweep, of which one is shown, with their choice, the view's own controls and the export menu
// above.
class ViewPanel : public QWidget {
    Q_OBJECT
public:
    struct Entry {
        QString title;
        SweepView* view;
    };
    // Stores the choice in `chosen`.
    ViewPanel(Workbench& bench, const QString& name, const QList<Entry>& views, const Setting<int>& chosen,
              QWidget* parent = nullptr);

    void refresh();
    void restart();
    SweepView* current() const;
    int currentIndex() const;
    void setCurrentIndex(int index);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void show(int index);
    void fitChoice();
    using QWidget::show;

    Workbench& m_bench;
    QList<Entry> m_views;
    const Setting<int>& m_setting;
    SegmentedControl* m_choice;
    QComboBox* m_list; // replaces the tabs where they do not fit
    QStackedWidget* m_stack;
    QToolButton* m_exporter;
};

} // namespace trainyard::ui
