// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/judge/foresee.h"

#include <QWidget>

namespace trainyard::ui {

// The first configurations of a sweep, a column for each axis. Each is as wide as its title and values; the area around
// the table scrolls.
class ConfigurationTable : public QWidget {
    Q_OBJECT
public:
    explicit ConfigurationTable(QWidget* parent = nullptr);

    // `titles`: of the axes, in the order of `paths`. The last line mentions configurations not known yet.
    void setForeseen(const sweep::Foreseen& foreseen, const QStringList& paths, const QStringList& titles);
    QString text(int row, int column) const { return m_rows.value(row).value(column); }
    int rows() const { return static_cast<int>(m_rows.size()); }
    QString lastLine() const { return m_last; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QList<qreal> columnWidths() const;
    int titleHeight() const;

    QStringList m_titles; // in two lines if there are many
    QList<QStringList> m_rows;
    QString m_last;
};

} // namespace trainyard::ui
