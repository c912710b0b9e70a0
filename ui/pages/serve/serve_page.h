// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/serve/service_list.h"
#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

#include <QPointer>

class QListView;
class QStackedLayout;

namespace trainyard::ui {

class ServiceBoard;

// The services of the workspace: a list at the left, the chosen one at the right.
class ServePage : public Surface {
    Q_OBJECT
public:
    explicit ServePage(Workbench& bench, QWidget* parent = nullptr);
    // Chooses a service, which may just have been started.
    void show(const QString& service);
    using QWidget::show;
    ServiceBoard* board() const { return m_board; }
    QListView* list() const { return m_view; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* buildEmpty();
    QWidget* buildList();
    void refresh();
    void choose();

    Workbench& m_bench;
    QPointer<ServiceWatch> m_watch; // gone before the page when the window closes
    ServiceList m_services;
    QString m_wanted; // to be chosen as soon as it is listed
    QStackedLayout* m_stack;
    QListView* m_view;
    Label* m_count;
    ServiceBoard* m_board;
};

} // namespace trainyard::ui
