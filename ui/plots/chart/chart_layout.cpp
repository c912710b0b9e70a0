// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/chart/chart_layout.h"

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

int ChartLayout::indexOf(const QString& id) const {
    const auto at = std::find_if(m_charts.begin(), m_charts.end(), [&](const auto& card) { return card.id == id; });
    return at == m_charts.end() ? -1 : static_cast<int>(at - m_charts.begin());
}

ChartCard* ChartLayout::edit(const QString& id) {
    const int at = indexOf(id);
    return at < 0 ? nullptr : &m_charts[at];
}

const ChartCard* ChartLayout::find(const QString& id) const {
    const int at = indexOf(id);
    return at < 0 ? nullptr : &m_charts[at];
}

int ChartLayout::pinnedCount() const {
    return static_cast<int>(std::count_if(m_charts.begin(), m_charts.end(), [](const auto& c) { return c.pinned; }));
}

// Inserts at a place among all charts, limited to its part (pinned or not).
void ChartLayout::place(ChartCard card, int at) {
    const int pinned = pinnedCount();
    at = card.pinned ? std::clamp(at, 0, pinned) : std::clamp(at, pinned, static_cast<int>(m_charts.size()));
    m_charts.insert(at, std::move(card));
}

bool ChartLayout::offer(const QStringList& series, Rank rank) {
    QStringList missing;
    for (const QString& each : series) {
        const bool has =
            std::any_of(m_charts.begin(), m_charts.end(), [&](const auto& card) { return card.series.contains(each); });
        if (!has && !missing.contains(each)) missing << each;
    }
    for (const QString& each : std::as_const(missing)) {
        // Before the first unmoved chart of a later standard place; moved charts say nothing about the order.
        const auto later = [&](const ChartCard& card) {
            const int mine = rank(each), its = rank(card.id);
            return !card.pinned && !m_moved.contains(card.id) && (its > mine || (its == mine && card.id > each));
        };
        const auto at = std::find_if(m_charts.begin(), m_charts.end(), later);
        place({each, {each}}, static_cast<int>(at - m_charts.begin()));
    }
    return !missing.isEmpty();
}

QList<ChartCard> ChartLayout::shown(const QString& search) const {
    const QStringList words = search.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    QList<ChartCard> shown;
    for (const ChartCard& card : m_charts) {
        const bool fits = std::all_of(words.begin(), words.end(), [&](const QString& word) {
            return card.title().contains(word, Qt::CaseInsensitive) ||
                   card.series.join(QLatin1Char(' ')).contains(word, Qt::CaseInsensitive);
        });
        if (!card.hidden && fits) shown << card;
    }
    return shown;
}

bool ChartLayout::isStandard() const {
    return m_moved.isEmpty() && std::all_of(m_charts.begin(), m_charts.end(), [](const ChartCard& card) {
               return card == ChartCard{card.id, {card.id}};
           });
}

bool ChartLayout::pin(const QString& id, bool on) {
    const int at = indexOf(id);
    if (at < 0 || m_charts[at].pinned == on) return false;
    ChartCard card = m_charts.takeAt(at);
    card.pinned = on;
    m_moved.insert(id);
    place(std::move(card), pinnedCount()); // the last that is pinned, or the first that is not
    return true;
}

bool ChartLayout::hide(const QString& id, bool on) {
    ChartCard* card = edit(id);
    if (card == nullptr || card->hidden == on) return false;
    card->hidden = on;
    return true;
}

bool ChartLayout::move(const QString& id, const QString& before) {
    const int at = indexOf(id);
    if (at < 0 || id == before) return false;
    const QList<ChartCard> was = m_charts;
    ChartCard card = m_charts.takeAt(at);
    const int target = indexOf(before);
    place(std::move(card), target >= 0 ? target : static_cast<int>(m_charts.size()));
    if (m_charts == was) return false;
    m_moved.insert(id);
    return true;
}

bool ChartLayout::showAll() {
    bool any = false;
    for (ChartCard& card : m_charts) any = std::exchange(card.hidden, false) || any;
    return any;
}

bool ChartLayout::moveBy(const QString& id, int places, const QStringList& shown) {
    const ChartCard* card = find(id);
    if (card == nullptr || places == 0) return false;
    QStringList part; // the visible charts of its part
    for (const ChartCard& each : m_charts)
        if (each.pinned == card->pinned && (shown.contains(each.id) || each.id == id)) part << each.id;
    const auto at = static_cast<int>(part.indexOf(id));
    const int to = std::clamp(at + places, 0, static_cast<int>(part.size()) - 1);
    if (to == at) return false;
    const int before = to > at ? to + 1 : to;
    return move(id, before < part.size() ? part[before] : QString());
}

bool ChartLayout::combine(const QString& id, const QString& series) {
    ChartCard* card = edit(id);
    if (card == nullptr || card->series.contains(series) || series.isEmpty()) return false;
    card->series << series;
    const int own = indexOf(series);
    if (own >= 0 && m_charts[own].series.size() == 1) {
        m_moved.remove(series);
        m_charts.removeAt(own);
    }
    return true;
}

bool ChartLayout::separate(const QString& id, const QString& series) {
    const int at = indexOf(id);
    if (at < 0 || series == id || !m_charts[at].series.contains(series)) return false;
    m_charts[at].series.removeAll(series);
    const bool elsewhere =
        std::any_of(m_charts.begin(), m_charts.end(), [&](const auto& card) { return card.series.contains(series); });
    if (elsewhere) return true;
    m_moved.insert(series);
    place({series, {series}, m_charts[at].pinned}, at + 1);
    return true;
}

bool looksLike(const ChartView& a, const ChartView& b) {
    ChartView other = b;
    other.zoom = a.zoom;
    if (std::abs(a.smoothing - b.smoothing) < 0.005) other.smoothing = a.smoothing;
    return a == other;
}

bool ChartLayout::setAxes(const QString& id, const ChartAxes& axes) {
    ChartCard* card = edit(id);
    if (card == nullptr || card->axes == axes) return false;
    card->axes = axes;
    return true;
}

} // namespace trainyard::ui
