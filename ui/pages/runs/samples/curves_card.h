// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/samples/evaluation_lines.h"
#include "ui/widgets/card.h"

class QBoxLayout;

namespace trainyard::ui {

// Two cards side by side, or one below the other where that is too narrow for both.
class TurningRow : public QWidget {
    Q_OBJECT
public:
    // `least`: design pixels that both need together.
    TurningRow(QWidget* first, QWidget* second, int least, QWidget* parent = nullptr);
    // Of the width; equal ones otherwise.
    void setShares(int first, int second);
    QSize minimumSizeHint() const override; // as where they stand one below the other

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget *m_first, *m_second;
    QBoxLayout* m_row;
    int m_least;
};

class Plot;
class SegmentedControl;

// What the probabilities of an evaluation are worth: the ROC and precision over recall of its classes, and how far they
// can be believed.
class CurvesCard : public Card {
    Q_OBJECT
public:
    explicit CurvesCard(QWidget* parent = nullptr);

    // False: it has no curve, and the card is hidden. `title`: of exports.
    bool setEvaluation(const run::Evaluation& evaluation, const QString& title);
    // Shows the curve of this class alone; -1: of the first ones.
    void setCurrent(int number);
    Plot* plot() const { return m_plot; }
    SegmentedControl* curves() const { return m_curves; }

private:
    void draw();

    run::Evaluation m_evaluation; // without tables and examples
    QString m_title;
    int m_class = -1;
    SegmentedControl* m_curves;
    Plot* m_plot;
};

} // namespace trainyard::ui
