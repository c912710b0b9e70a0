// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/plots/chart/confusion_chart.h"
#include "ui/widgets/card.h"

namespace trainyard::run {
struct Evaluation;
}

namespace trainyard::ui {

class NumberLabel;
class SegmentedControl;

// The confusion table of an evaluation, as counts or shares, with one line about the cell that the keyboard is on.
class ConfusionCard : public Card {
    Q_OBJECT
public:
    explicit ConfusionCard(Workbench& bench, QWidget* parent = nullptr);

    // `title`: of exports.
    void setEvaluation(const run::Evaluation& evaluation, const QString& title);
    ConfusionChart* chart() const { return m_chart; }
    void setCurrent(const std::optional<ConfusionCell>& cell);

private:
    void describe();

    ConfusionChart* m_chart;
    SegmentedControl* m_shares;
    NumberLabel* m_line;
};

} // namespace trainyard::ui
