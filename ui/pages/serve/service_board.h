// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"

#include <QWidget>

class QPushButton;

namespace trainyard::ui {

class Banner;
class Card;
class FigureStrip;
class NumberLabel;
class ReplicaChips;
class ServiceCharts;
class ServiceTrial;
class StatusChip;
class VersionCard;

// All about one service: figures, charts, replicas, versions, and a place to try it.
class ServiceBoard : public QWidget {
    Q_OBJECT
public:
    explicit ServiceBoard(Workbench& bench, QWidget* parent = nullptr);

    void setService(const QString& name);
    const QString& service() const { return m_name; }
    // From what the watch knows now.
    void refresh();
    ServiceTrial* trial() const { return m_trial; }
    VersionCard* versions() const { return m_versions; }
    ReplicaChips* replicas() const { return m_replicas; }
    Banner* banner() const { return m_banner; }
    ServiceCharts* charts() const { return m_charts; }
    StatusChip* home() const { return m_home; }

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* buildHeader();
    QWidget* buildCards();
    void showHeader(const serve::ServiceView& service);
    void showState(const serve::ServiceView& service);
    void showFigures(const serve::ServiceView& service);
    void withService(const std::function<void(const serve::ServiceView&)>& act);

    Workbench& m_bench;
    QString m_name, m_told; // what the banner says
    NumberLabel* m_title;
    StatusChip *m_chip, *m_home; // the host that it lives on
    NumberLabel* m_address;
    QPushButton *m_scale, *m_stop, *m_again;
    Banner* m_banner;
    FigureStrip* m_figures;
    ServiceCharts* m_charts;
    ServiceTrial* m_trial;
    VersionCard* m_versions;
    Card* m_replicaCard;
    ReplicaChips* m_replicas;
};

} // namespace trainyard::ui
