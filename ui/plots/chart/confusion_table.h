// SPDX-License-Identifier: GPL-3.0-or-later
// A confusion table and its painting, the same on the screen and in a file.
#pragma once

#include "ui/theme/theme.h"

#include <QRectF>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

class QPainter;

namespace trainyard::ui {

// How often samples of a class were predicted as each class. Immutable, so that a thread may write its CSV.
class ConfusionTable {
public:
    ConfusionTable() = default;
    // Rows are true classes, columns predicted ones: as many of both as there are names.
    ConfusionTable(QStringList names, std::vector<std::vector<std::int64_t>> counts);

    int size() const { return static_cast<int>(m_counts.size()); } // classes
    QString name(int number) const { return m_names.value(number); }
    const QStringList& names() const { return m_names; }
    std::int64_t count(int truth, int predicted) const {
        return m_counts[static_cast<std::size_t>(truth)][static_cast<std::size_t>(predicted)];
    }
    std::int64_t ofTruth(int truth) const { return m_ofTruth[static_cast<std::size_t>(truth)]; }
    std::int64_t ofPredicted(int predicted) const { return m_ofPredicted[static_cast<std::size_t>(predicted)]; }
    std::int64_t samples() const { return m_samples; }
    // The cell's share of the samples of its true class; 0 without samples.
    double share(int truth, int predicted) const;
    // The largest count and the largest share among the cells off the diagonal.
    std::int64_t largestMistake() const { return m_largestMistake; }
    double largestMistakenShare() const { return m_largestShare; }
    // The strength of a mistake's colour, 0 to 1, by its count or share: the root, so that rare mistakes differ from
    // none; and full from a tenth of a class on, so that a single one among many is pale.
    double mistakeStrength(int truth, int predicted, bool shares) const;
    // true,predicted,count,share: a line for each cell that is not 0.
    std::string csv() const;

    bool operator==(const ConfusionTable& other) const {
        return m_names == other.m_names && m_counts == other.m_counts;
    }

private:
    QStringList m_names;
    std::vector<std::vector<std::int64_t>> m_counts;
    std::vector<std::int64_t> m_ofTruth, m_ofPredicted;
    std::int64_t m_samples = 0, m_largestMistake = 0;
    double m_largestShare = 0;
};

// A cell of the table: true and predicted class.
struct ConfusionCell {
    int truth = 0, predicted = 0;
    bool operator==(const ConfusionCell&) const = default;
};

// The visible part of a table, and its numbers.
struct ConfusionView {
    int firstTruth = 0, firstPredicted = 0;
    int shown = 0;       // classes in each direction; 0: all
    bool shares = false; // percent of the true class instead of counts
    std::optional<ConfusionCell> current{};
};

// The places of a view's cells.
struct ConfusionLayout {
    QRectF cells;  // all of them
    QSizeF cell;   // one of them
    int shown = 0; // in each direction
    QRectF of(const ConfusionView& view, const ConfusionCell& at) const;
    std::optional<ConfusionCell> at(const ConfusionView& view, const QPointF& place) const;
};
ConfusionLayout layOutConfusion(const ConfusionTable& table, const ConfusionView& view, const QRectF& area,
                                const Theme& theme);

// Paints cells in the colours of quantities with their numbers, if those fit, and the names of the classes. Cells
// smaller than a few pixels become a heat map in which no mistake is lost between two pixels.
void paintConfusion(QPainter& painter, const QRectF& area, const ConfusionTable& table, const ConfusionView& view,
                    const Theme& theme);

} // namespace trainyard::ui
