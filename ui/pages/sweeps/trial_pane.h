// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/sweeps/trials_model.h"
#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

class QComboBox;
class QTableView;

namespace trainyard::ui {

class TrialTable;
class UnitEdit;

// The choice of the sweep, the filter, the table of trials, and the number shown.
class TrialPane : public Surface {
    Q_OBJECT
public:
    TrialPane(Workbench& bench, const TrialList& trials, TrialFilter& filter, QWidget* parent = nullptr);

    // Sets the sweeps, by name and id; keeps the choice if it is among them.
    void setSweeps(const QList<std::pair<QString, QString>>& sweeps);
    // Chooses a sweep; false: it is not in the list.
    bool choose(const QString& sweep);
    QString chosen() const; // id; empty: none
    void chooseNone();

Q_SIGNALS:
    void sweepChosen(const QString& sweep); // by the user

private:
    QLayout* buildTop();
    QWidget* buildFooter();
    void showCount();

    const TrialList& m_trials;
    TrialFilter& m_filter;
    QComboBox* m_sweeps;
    UnitEdit* m_text;
    Label *m_error, *m_count;
    QPushButton* m_clear;
    QWidget* m_footer;
};

} // namespace trainyard::ui
