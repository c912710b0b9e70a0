// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/curves/chart_board.h"

#include "engine/run/record/series/system_series.h"
#include "ui/models/desktop/settings.h"
#include "ui/plots/card/metric_card.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/layout.h"

#include <QGridLayout>
#include <QKeyEvent>

#include <algorithm>
#include <set>
#include <utility>

namespace trainyard::ui {

namespace {

constexpr int kCardWidth = 312, kCardHeight = 220; // the least of a card, with its gap
constexpr int kMostColumns = 4;

// Marks the gap that a dragged chart would move to.
class DropMark final : public QWidget {
public:
    explicit DropMark(QWidget* parent) : QWidget(parent) {
        setObjectName(QStringLiteral("dropMark"));
        setAttribute(Qt::WA_TransparentForMouseEvents);
        hide();
    }

protected:
    void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), Theme::current().accent); }
};

} // namespace

ChartBoard::ChartBoard(PlotGroup& group, SeriesStore& store, QWidget* parent)
    : QWidget(parent), m_group(group), m_store(store), m_grid(new QGridLayout(this)), m_mark(new DropMark(this)),
      m_systemHeading(new Label(tr("System"), TextRole::SectionHeading, this)),
      m_wantedColumns(Settings::curvesColumns.get()) {
    m_systemHeading->setObjectName(QStringLiteral("systemHeading"));
    m_systemHeading->hide();
    // Drops the zooms of charts to come, as each card ends its own.
    connect(&group, &PlotGroup::fitted, this, [this] { m_zoomsToCome.clear(); });
    connect(&group, &PlotGroup::modesChanged, this, [this] { m_zoomsToCome.clear(); });
    m_grid->setSpacing(Theme::current().px(12));
    setMargins(m_grid, 12, 0, 12, 12);
}

MetricCard* ChartBoard::make(const ChartCard& chart) {
    auto* card = new MetricCard(chart.id, &m_group, &m_store, this);
    if (chart.id == QLatin1String("samples_per_s")) card->setNote(tr("all workers"));
    card->setOnBoard(true);
    const QString id = chart.id;
    m_cards.emplace(id, card);
    m_ids.insert(card, id);
    connect(card, &MetricCard::expandRequested, this, [this, id] { toggleExpanded(id); });
    connect(card, &MetricCard::exportRequested, this, [this, card] { Q_EMIT exportRequested(card); });
    connect(card, &MetricCard::menuRequested, this, [this, id](const QPoint& at) { Q_EMIT menuRequested(id, at); });
    connect(card, &MetricCard::axesChanged, this, [this, id, card] { Q_EMIT axesRequested(id, card->axes()); });
    connect(card, &MetricCard::yZoomed, this, &ChartBoard::zoomed);
    connect(card, &MetricCard::headerDragged, this,
            [this, id](const QPoint& at, bool dropped) { drag(id, at, dropped); });
    connect(card, &MetricCard::valueSteered, this, &ChartBoard::valueSteered);
    connect(card, &MetricCard::headerDragCancelled, m_mark, &QWidget::hide);
    return card;
}

void ChartBoard::setCharts(const QList<ChartCard>& charts) {
    if (charts == m_charts) return;
    m_charts = charts;
    QSet<QString> shown;
    for (const ChartCard& chart : charts) {
        shown.insert(chart.id);
        const auto known = m_cards.find(chart.id);
        MetricCard* card = known != m_cards.end() ? known->second : make(chart);
        card->setSeries(chart.series);
        card->setAxes(chart.axes);
        card->setPinned(chart.pinned);
        if (m_zoomsToCome.contains(chart.id)) card->setYZoom(m_zoomsToCome.take(chart.id));
        if (card->curves() != m_runs) card->setCurves(m_runs);
    }
    for (const auto& [id, card] : m_cards) {
        if (shown.contains(id)) continue;
        card->setCurves({});
        m_group.reportExtent(card, {}); // hidden charts do not affect the range of x
    }
    if (!shown.contains(m_expanded)) m_expanded.clear();
    arrange();
}

void ChartBoard::setRuns(const QList<CurveStyle>& runs) {
    m_runs = runs;
    for (const ChartCard& chart : std::as_const(m_charts))
        if (auto* card = m_cards.at(chart.id); card->curves() != runs) card->setCurves(runs);
}

void ChartBoard::setZooms(const QMap<QString, std::pair<double, double>>& zooms) {
    m_zoomsToCome = zooms;
    for (const auto& [id, card] : m_cards) {
        const auto zoom = zooms.constFind(id);
        card->setYZoom(zoom == zooms.end() ? std::nullopt : std::optional(*zoom));
        m_zoomsToCome.remove(id);
    }
}

QMap<QString, std::pair<double, double>> ChartBoard::zooms() const {
    auto zooms = m_zoomsToCome;
    for (const auto& [id, card] : m_cards)
        if (const auto zoom = card->yZoom()) zooms.insert(id, *zoom);
    return zooms;
}

void ChartBoard::setRoom(const QSize& room) {
    if (std::exchange(m_room, room) != room) arrange();
}

void ChartBoard::setColumns(int columns) {
    if (std::exchange(m_wantedColumns, columns) != columns) arrange();
}

void ChartBoard::toggleExpanded(const QString& id) {
    m_expanded = m_expanded == id ? QString() : id;
    arrange();
}

bool ChartBoard::shrink() {
    if (m_expanded.isEmpty()) return false;
    m_expanded.clear();
    arrange();
    return true;
}

QList<MetricCard*> ChartBoard::cards() const {
    QList<MetricCard*> cards;
    for (const ChartCard& chart : m_charts) cards << m_cards.at(chart.id);
    return cards;
}

MetricCard* ChartBoard::card(const QString& id) const {
    const bool shown = std::any_of(m_charts.begin(), m_charts.end(), [&](const auto& chart) { return chart.id == id; });
    return shown ? m_cards.at(id) : nullptr;
}

// Index of the first chart of system metrics, which stand below all others; the number of charts if there are none.
int ChartBoard::systemStart(const QList<MetricCard*>& shown) const {
    const auto isSystem = [](const MetricCard* card) {
        return run::isSystemSeries(card->series().first().toStdString());
    };
    qsizetype start = shown.size();
    while (start > 0 && isSystem(shown[start - 1])) --start;
    return static_cast<int>(start);
}

void ChartBoard::arrange() {
    const Theme& theme = Theme::current();
    while (auto* item = m_grid->takeAt(0)) delete item;
    m_columns = std::clamp((m_room.width() - theme.px(12)) / theme.px(kCardWidth), 1, kMostColumns);
    if (m_wantedColumns > 0) m_columns = std::min(m_wantedColumns, m_columns);
    const int rowsInRoom = m_wantedColumns >= 3 ? 3 : 2;
    QList<MetricCard*> shown;
    for (const ChartCard& chart : std::as_const(m_charts))
        if (m_expanded.isEmpty() || chart.id == m_expanded) shown << m_cards.at(chart.id);
    for (const auto& [id, card] : m_cards)
        if (!shown.contains(card)) card->hide();
    const int count = static_cast<int>(shown.size()), system = systemStart(shown);
    const bool heads = m_expanded.isEmpty() && system > 0 && system < count;
    m_systemHeading->setVisible(heads);
    std::set<int> chartRows;
    int row = -1, column = m_columns - 1;
    for (int i = 0; i < count; ++i) {
        if (++column == m_columns || (heads && i == system)) ++row, column = 0;
        if (heads && i == system) m_grid->addWidget(m_systemHeading, row++, 0, 1, m_columns);
        chartRows.insert(row);
        m_grid->addWidget(shown[i], row, column);
        shown[i]->show();
        if (i > 0) setTabOrder(shown[i - 1], shown[i]); // Tab follows the reading order
    }
    const int room = m_room.height() - theme.px(12);
    const int parts = std::min(rowsInRoom, static_cast<int>(chartRows.size()));
    const int height = parts < 2 ? room : std::max(theme.px(kCardHeight), (room - (parts - 1) * theme.px(12)) / parts);
    for (int i = 0; i < std::max({8, m_grid->rowCount(), m_grid->columnCount()}); ++i) {
        m_grid->setColumnStretch(i, i < std::min(m_columns, count) ? 1 : 0);
        m_grid->setRowMinimumHeight(i, chartRows.contains(i) ? height : 0);
        m_grid->setRowStretch(i, chartRows.contains(i) ? 1 : 0);
    }
}

void ChartBoard::keyPressEvent(QKeyEvent* event) {
    const MetricCard* card = nullptr;
    for (const auto& [id, each] : m_cards)
        if (each->hasFocus()) card = each;
    int places = 0;
    switch (event->key()) {
    case Qt::Key_Left: places = -1; break;
    case Qt::Key_Right: places = 1; break;
    case Qt::Key_Up: places = -m_columns; break;
    case Qt::Key_Down: places = m_columns; break;
    default: break;
    }
    if (card == nullptr || places == 0 || event->modifiers() != Qt::AltModifier) return QWidget::keyPressEvent(event);
    Q_EMIT moveByRequested(idOf(card), places);
}

// Number of charts before a place on the board.
int ChartBoard::slotAt(const QPoint& position) const {
    int best = 0;
    double nearest = std::numeric_limits<double>::infinity();
    const QList<MetricCard*> shown = cards();
    for (int i = 0; i < shown.size(); ++i) {
        const QRect area = shown[i]->geometry();
        const QPointF off = QPointF(position) - QRectF(area).center();
        const double distance = std::hypot(off.x() / area.width(), off.y() / area.height());
        if (!(distance < nearest)) continue;
        nearest = distance;
        best = position.x() < area.center().x() ? i : i + 1;
    }
    return best;
}

void ChartBoard::showSlot(int slot) {
    const int gap = Theme::current().px(12), thick = Theme::current().px(3);
    const QList<MetricCard*> shown = cards();
    const bool atEnd = slot == shown.size();
    const QRect beside = shown[atEnd ? slot - 1 : slot]->geometry();
    const int left = atEnd ? beside.right() + 1 + (gap - thick) / 2 : beside.left() - (gap + thick) / 2;
    m_mark->setGeometry(left, beside.top(), thick, beside.height());
    m_mark->raise();
    m_mark->show();
}

void ChartBoard::drag(const QString& id, const QPoint& position, bool dropped) {
    if (!m_expanded.isEmpty() || m_charts.isEmpty()) return;
    const QPoint at = mapFromGlobal(position);
    const int slot = slotAt(at);
    if (!dropped) {
        showSlot(slot);
        Q_EMIT draggedTo(at);
        return;
    }
    m_mark->hide();
    const QString before = slot < m_charts.size() ? m_charts[slot].id : QString();
    const bool stays = before == id || (slot > 0 && m_charts[slot - 1].id == id);
    if (!stays) Q_EMIT moveRequested(id, before);
}

} // namespace trainyard::ui
