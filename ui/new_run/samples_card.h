// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/data/draws.h"
#include "ui/new_run/preview_cards.h"

class QToolButton;

namespace trainyard::ui {

class SegmentedControl;

// The samples as they are stored; of pictures also what the run's augmentation makes of one, and the first batch as the
// model is given it. Both follow the settings at once, made by the code that trains.
class SamplesCard : public DrawingCard {
    Q_OBJECT
public:
    enum View { Stored, Augmented, Batch };
    explicit SamplesCard(const PreviewFacts& facts);

    void refresh();
    View view() const;
    // Whether it needs the width of two cards.
    bool isWide() const { return view() != Stored; }
    const std::optional<Draws>& draws() const { return m_draws; }

Q_SIGNALS:
    void viewChanged();

private:
    void paint(QPainter& painter, const QRectF& rect) const;
    void choose();
    QString tipAt(const QPointF& at) const;

    const PreviewFacts& m_facts;
    SegmentedControl* m_views;
    QToolButton* m_next;
    DrawsQuestion m_question;
    std::optional<Draws> m_draws;
    QString m_refused; // empty: it was not
};

} // namespace trainyard::ui
