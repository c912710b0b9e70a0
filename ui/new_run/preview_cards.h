// SPDX-License-Identifier: GPL-3.0-or-later
// The cards of the preview pane. At refresh(), each shows its part of the facts, which outlive it.
#pragma once

#include "ui/models/workbench.h"
#include "ui/new_run/run_checks.h"
#include "ui/widgets/card.h"

#include <functional>

namespace trainyard::ui {

class StatusChip;

// A surface whose drawing is given by a function.
class PreviewCanvas : public QWidget {
    Q_OBJECT
public:
    std::function<void(QPainter&, const QRectF&)> draw;
    std::function<QString(const QPointF&)> tipAt; // relative to the top left of the drawing
    std::function<void()> resized;
    QRectF area() const;

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

// The worker's answer as a drawing. Greyed while it belongs to other settings.
class DrawingCard : public Card {
    Q_OBJECT
public:
    using Draw = std::function<void(QPainter&, const QRectF&, const Preview&)>;
    DrawingCard(const QString& title, const PreviewFacts& facts, Draw draw);
    void redraw() { m_canvas->update(); }

protected:
    PreviewCanvas* m_canvas;
};

// The learning rates, or the reason that there are none to try.
class RatesCard : public DrawingCard {
    Q_OBJECT
public:
    explicit RatesCard(const PreviewFacts& facts);
    void refresh();

Q_SIGNALS:
    void swapRequested();

private:
    QString noteText() const;

    const PreviewFacts& m_facts;
    QWidget* m_empty;
    Label* m_why;
    QPushButton* m_swap;
};

// The make-up of a step's batch.
class BatchCard : public Card {
    Q_OBJECT
public:
    explicit BatchCard(const PreviewFacts& facts);
    void refresh();

private:
    const PreviewFacts& m_facts;
    Label *m_line, *m_note;
};

// Memory, time and disk.
class CostCard : public Card {
    Q_OBJECT
public:
    CostCard(const Workbench& bench, const PreviewFacts& facts);
    // `slots`: number of trials of a sweep that train at a time. `share`: usual share of their training that the
    // sweep's scheduler leaves.
    void refresh(int slots, double share);

private:
    double estimatedSeconds() const;

    const Workbench& m_bench;
    const PreviewFacts& m_facts;
    PairList* m_pairs;
};

// "Will it run?"
class CheckCard : public Card {
    Q_OBJECT
public:
    // `program`: the facts about a program, if that is what runs; null: a training.
    CheckCard(const Workbench& bench, const PreviewFacts& facts, const ProgramFacts* program = nullptr);
    // Asks the hosts of the current run.
    void askHosts();
    void refresh();

Q_SIGNALS:
    void newWeightsRequested(); // instead of the checkpoint

private:
    QList<RunCheck> checks() const;
    QString hostsWords() const;
    void showVerdict();
    void fitChecks();
    QString tipAt(const QPointF& at) const;

    const Workbench& m_bench;
    const PreviewFacts& m_facts;
    const ProgramFacts* m_program;
    HostsCheck* m_hosts;
    PreviewCanvas* m_checks;
    StatusChip* m_verdict;
    Label* m_why;   // the worker's full refusal
    Label* m_notes; // its notes on the data
    QPushButton* m_newWeights;
};

} // namespace trainyard::ui
