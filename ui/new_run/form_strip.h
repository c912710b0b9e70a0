// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forms/run_form.h"
#include "ui/widgets/layout.h"

namespace trainyard::ui {

// Where the run trains: "This computer · 2 workers".
QString whereSummary(const RunForm::State& state);
// What the sweep tries: "12 trials over Learning rate, Batch"; empty: it is no sweep.
QString sweepSummary(const RunForm::State& state);

// Below the form, and does not scroll: more or fewer settings, where the run trains, and above them what a sweep tries.
class FormStrip : public Surface {
    Q_OBJECT
public:
    FormStrip();

    void setState(const RunForm::State& state);
    bool showsAll() const { return m_more->isChecked(); }
    QPushButton* more() const { return m_more; }
    QPushButton* where() const { return m_where; }
    QPushButton* sweep() const { return m_sweep; }

Q_SIGNALS:
    void allChosen(bool all);
    void whereRequested();
    void sweepRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();

    QPushButton *m_more, *m_where, *m_sweep;
    QString m_whereText, m_sweepText; // in full
};

} // namespace trainyard::ui
