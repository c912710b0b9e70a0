// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/runs/class_table.h"
#include "ui/widgets/card.h"

class QTableView;

namespace trainyard::ui {

// Precision, recall and support of each class, or the errors of each column of a regression; a click on a title sorts.
class ClassScores : public Card {
    Q_OBJECT
public:
    explicit ClassScores(QWidget* parent = nullptr);

    // `summary` stands beside the title.
    void setEvaluation(const run::Evaluation& evaluation, const QString& summary);
    // Marks a class without emitting chosen(); -1: none.
    void setCurrent(int number);
    QTableView* view() const { return m_view; }

Q_SIGNALS:
    void chosen(int number); // a class was clicked, or Enter pressed on it

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitColumns();

    ClassTable m_table;
    QTableView* m_view;
};

} // namespace trainyard::ui
