// SPDX-License-Identifier: GPL-3.0-or-later
// The headers of the comparison: runs with their chips above it, names and foldable headings beside it.
#pragma once

#include <QHeaderView>

namespace trainyard::ui {

// A run each: its chip and name, in full where there is room, and a line below the baseline.
class ComparedRunsHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit ComparedRunsHeader(QWidget* parent = nullptr);

protected:
    QSize sectionSizeFromContents(int section) const override;
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
};

// The names of the rows, which stay in sight while the runs scroll sideways; the headings of parts have an arrow.
class ComparedNamesHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit ComparedNamesHeader(QWidget* parent = nullptr);
    // As wide as the longest name, within limits.
    void fitNames();

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
};

} // namespace trainyard::ui
