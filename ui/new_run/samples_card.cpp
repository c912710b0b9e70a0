// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_run/samples_card.h"

#include "ui/new_run/preview_paint.h"
#include "ui/new_run/samples/draws_paint.h"
#include "ui/widgets/inputs/segmented_control.h"

#include <QPainter>

namespace trainyard::ui {

namespace {

constexpr double kOldDraws = 0.5; // opacity of draws for other settings

} // namespace

SamplesCard::SamplesCard(const PreviewFacts& facts)
    : DrawingCard(tr("Samples"), facts, paintSamples), m_facts(facts),
      m_views(new SegmentedControl({tr("Stored"), tr("Augmented"), tr("Batch")})),
      m_next(iconButton(QStringLiteral("refresh"), tr("Another picture"))) {
    m_views->setCompact();
    m_views->setAccessibleName(tr("Samples"));
    m_views->setToolTip(
        tr("As they are stored; one picture in 24 random draws; or the first batch as the model sees it, "
           "with its labels"));
    addAction(m_next);
    addAction(m_views);
    for (QWidget* each : std::initializer_list<QWidget*>{m_views, m_next}) each->hide();
    connect(m_views, &SegmentedControl::currentIndexChanged, this, &SamplesCard::choose);
    connect(m_next, &QToolButton::clicked, &m_question, &DrawsQuestion::askForNext);
    connect(&m_question, &DrawsQuestion::arrived, this, [this](const Draws& draws) {
        m_draws = draws;
        m_refused.clear();
        redraw();
    });
    connect(&m_question, &DrawsQuestion::refused, this, [this](const QString& why) {
        m_refused = why;
        redraw();
    });
    m_canvas->draw = [this, stored = m_canvas->draw](QPainter& painter, const QRectF& rect) {
        view() == Stored ? stored(painter, rect) : paint(painter, rect);
    };
    m_canvas->tipAt = [this](const QPointF& at) { return tipAt(at); };
}

SamplesCard::View SamplesCard::view() const { return static_cast<View>(m_views->currentIndex()); }

void SamplesCard::choose() {
    m_next->setVisible(view() == Augmented);
    if (view() == Stored) m_question.cancel(); // its worker holds the pictures in memory
    refresh();
    Q_EMIT viewChanged();
}

void SamplesCard::refresh() {
    const bool ofPictures = m_facts.preview ? !m_facts.preview->thumbnails.isEmpty() : m_views->isVisibleTo(this);
    m_views->setVisible(ofPictures);
    if (!ofPictures) m_views->setCurrentIndex(Stored);
    if (view() != Stored && m_facts.state.errors.isEmpty()) m_question.ask(m_facts.state.shown);
    redraw();
}

void SamplesCard::paint(QPainter& painter, const QRectF& rect) const {
    if (!m_refused.isEmpty()) return paintWords(painter, rect, m_refused);
    if (!m_draws) return paintWords(painter, rect, tr("Drawing…"));
    painter.setOpacity(m_facts.state.errors.isEmpty() ? 1 : kOldDraws);
    if (view() == Batch && m_draws->batch.isEmpty())
        return paintWords(painter, rect, tr("None of these pictures can be read"));
    if (view() == Batch) return paintBatch(painter, rect, *m_draws);
    paintDraws(painter, rect, *m_draws);
    if (!m_draws->changes)
        paintWords(painter, besidePicture(rect, *m_draws),
                   tr("No augmentation is set: each epoch sees the picture as it is. It is under “More settings”, "
                      "“Advanced”."));
}

QString SamplesCard::tipAt(const QPointF& at) const {
    if (view() != Batch || !m_draws) return {};
    const QList<QRectF> areas = batchAreas(m_canvas->area().size(), *m_draws);
    for (qsizetype i = 0; i < areas.size(); ++i)
        if (areas[i].contains(at)) return labelLines(m_draws->batch[i]).join(QLatin1Char('\n'));
    return {};
}

} // namespace trainyard::ui
