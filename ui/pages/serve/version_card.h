// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/serve/version_table.h"
#include "ui/models/workbench.h"
#include "ui/widgets/card.h"

#include <QElapsedTimer>

class QPushButton;
class QSlider;
class QTableView;

namespace trainyard::ui {

class Label;
class NumberLabel;

// The versions of a service: which answer, how well, and what can be done with them.
class VersionCard : public Card {
    Q_OBJECT
public:
    explicit VersionCard(Workbench& bench, QWidget* parent = nullptr);
    void setService(const serve::ServiceView& service);
    QTableView* view() const { return m_view; }
    QSlider* slider() const { return m_share; }
    QPushButton* promoteButton() const { return m_promote; }
    QPushButton* rollBackButton() const { return m_rollBack; }

Q_SIGNALS:
    void checkpointWanted(); // another version

private:
    void buildCanary();
    void refresh();
    void giveShare(int percent);
    QString model() const;
    const serve::VersionStatus* ofRole(serve::VersionRole role) const;

    Workbench& m_bench;
    QString m_service;
    VersionTable m_table;
    QTableView* m_view;
    QWidget* m_canaryRow;
    Label* m_canary;
    QSlider* m_share;
    NumberLabel* m_shareText;
    QPushButton *m_new, *m_promote, *m_rollBack;
    QElapsedTimer m_given; // since the user has given a share
    bool m_live = false;
};

} // namespace trainyard::ui
