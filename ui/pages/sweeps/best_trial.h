// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/sweeps/trial_list.h"
#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

namespace trainyard::ui {

class Sparkline;

// The best trial of a sweep: its score, parameters and lead, and buttons to use it.
class BestTrial : public Surface {
    Q_OBJECT
public:
    BestTrial(Workbench& bench, const TrialList& trials, QWidget* parent = nullptr);
    // Shows the best of the trials as they are now.
    void refresh();

private:
    QLayout* buildName();
    QLayout* buildButtons();
    QString leadText(const Trial& best) const;

    Workbench& m_bench;
    const TrialList& m_trials;
    QWidget* m_content;
    Label *m_name, *m_score, *m_note, *m_leadTitle, *m_lead;
    QPushButton* m_longer;
    Sparkline* m_curve;
    PairList* m_params;
};

} // namespace trainyard::ui
