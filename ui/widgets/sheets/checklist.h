// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QWidget>

namespace trainyard::ui {

// The progress of a checklist's step.
enum class StepState { Waiting, Running, Done, Failed };

// One line of a Checklist. `note` stands at the right: "0.4 s", "running", the reason for a failure.
struct ChecklistStep {
    QString text;
    StepState state = StepState::Waiting;
    QString note;

    bool operator==(const ChecklistStep&) const = default;
};

// The steps of a start, one row of 24 px each.
class Checklist : public QWidget {
    Q_OBJECT
public:
    explicit Checklist(QWidget* parent = nullptr);

    void setSteps(const QList<ChecklistStep>& steps);
    QList<ChecklistStep> steps() const { return m_steps; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QList<ChecklistStep> m_steps;
};

} // namespace trainyard::ui
