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
// above. A view is made when it is first chosen: a plot takes some milliseconds.
class ViewPanel : public QWidget {
    Q_OBJECT
public:
    struct Entry {
        QString title;
        SweepView* (*make)(const SweepContext& context);
    };
    // SweepView `View` as the `make` of an entry.
    template <class View>
    static SweepView* make(const SweepContext& context) {
        return new View(context);
    }
    // Stores the choice in `chosen`.
    ViewPanel(const SweepContext& context, const QString& name, const QList<Entry>& views, const Setting<int>& chosen,
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
    SweepView* made(int index);
    using QWidget::show;

    SweepContext m_context;
    QList<Entry> m_entries;
    QList<SweepView*> m_views; // null: not chosen yet
    const Setting<int>& m_setting;
    SegmentedControl* m_choice;
    QComboBox* m_list; // replaces the tabs where they do not fit
    QHBoxLayout* m_line;
    QStackedWidget* m_stack;
    QToolButton* m_exporter;
};

} // namespace trainyard::ui
