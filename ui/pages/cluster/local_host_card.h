// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/runs/run_item.h"
#include "ui/models/workbench.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"

#include <algorithm>

namespace trainyard::ui {

// A device of a host as a 28-px row: name, history, load bar, memory bar, who uses it.
class DeviceRow : public QWidget {
    Q_OBJECT
public:
    explicit DeviceRow(const QString& iconName, const QString& name, QWidget* parent = nullptr);
    void setLoad(double share, const QString& memory, double memoryShare, const QColor& color);
    void clearLoad(); // shows that the load is unknown
    void setUsers(const QString& users, const QColor& chip);
    QString users() const { return m_users; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_icon, m_name, m_memory, m_users;
    QList<double> m_history;
    double m_share = 0, m_memoryShare = 0;
    QColor m_color, m_chip;
};

// This computer, live.
class LocalHostCard : public Card {
    Q_OBJECT
public:
    explicit LocalHostCard(Workbench& bench, QWidget* parent = nullptr);
    void setLoad(const SystemLoad& load);

private:
    void showGpus(const std::map<int, GpuLoad>& gpus);
    void showFacts();

    Workbench& m_bench;
    DeviceRow* m_cpu;
    std::map<int, DeviceRow*> m_gpus; // by device number
    QWidget* m_disk;
    class QLabel* m_diskText;
    class QLabel* m_versions;
};

// The runs that use a device or a host, with their ranks on it.
struct DeviceUsers {
    QStringList words;
    QColor color; // of the first run

    void add(const RunItem& run, const QList<int>& ranks) {
        if (ranks.isEmpty()) return;
        QStringList named;
        for (const int rank : ranks.first(std::min<qsizetype>(ranks.size(), 4)))
            named << QStringLiteral("r%1").arg(rank);
        words << run.name + QLatin1Char(' ') + named.join(QStringLiteral(", "));
        if (!color.isValid()) color = Theme::current().curve(run.color);
    }
    void showIn(DeviceRow& row) const { row.setUsers(words.join(QStringLiteral("; ")), color); }
};

inline bool isTraining(const RunItem& run) { return run.active() && run.status != wire::RunStatus::Queued; }

} // namespace trainyard::ui
