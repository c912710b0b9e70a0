// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/layout.h"

namespace trainyard::ui {

class UnitEdit;

// The bar that chooses the charts: search by series name, hidden charts, saved views, and exports. It only displays its
// input and emits requests. GUI thread.
class ChartBar : public QWidget {
    Q_OBJECT
public:
    explicit ChartBar(QWidget* parent = nullptr);

    QString search() const;
    void setSearch(const QString& words);
    void focusSearch();
    // `all`: charts that have points or wait for them; `shown`: those that match the search.
    void setCounts(int shown, int all);
    // Ids and titles of the hidden charts.
    void setHidden(const QList<std::pair<QString, QString>>& charts);
    // `current`: the chosen view, empty for the standard one; `changed`: the charts differ from it.
    void setViews(const QStringList& names, const QString& current, bool changed);

Q_SIGNALS:
    void columnsChosen(int columns); // side by side; 0: as many as fit
    void searchChanged(const QString& words);
    void showRequested(const QString& id);   // a hidden chart; empty: all of them
    void viewRequested(const QString& name); // empty: the standard one
    void saveRequested(const QString& name); // under this name
    void renameRequested(const QString& name, const QString& now);
    void removeRequested(const QString& name);
    void exportRequested(const QPoint& position); // place for the menu, in screen pixels

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void askForName(const QString& title, const QString& label, const QString& name,
                    const std::function<void(const QString&)>& then);
    void fillHidden();
    void fillViews();
    QToolButton* buildColumns();

    UnitEdit* m_search;
    Label* m_count;
    QToolButton *m_hidden, *m_views;
    QList<std::pair<QString, QString>> m_hiddenCharts;
    QStringList m_names;
    QString m_current;
    bool m_changed = false;
};

} // namespace trainyard::ui
