// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/steering_view.h"

#include "ui/models/format.h"
#include "ui/widgets/card.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/layout.h"

#include <QDateTime>
#include <QHeaderView>
#include <QLocale>
#include <QStandardItemModel>
#include <QTableView>

namespace trainyard::ui {

namespace {

QWidget* noRequests() {
    auto* none = new QWidget;
    auto* layout = column(none);
    setMargins(layout, 24, 24, 24, 24);
    auto* words = new EmptyState(
        SteeringView::tr("No requests yet"),
        SteeringView::tr("Requests to stop or add trials, or to restrict the space, are listed here with their "
                         "time and author."));
    words->setMaximumWidth(Theme::current().px(420));
    layout->addWidget(words, 0, Qt::AlignCenter);
    return none;
}

QString timeText(std::int64_t wallMs) {
    return QLocale().toString(QDateTime::fromMSecsSinceEpoch(wallMs), QStringLiteral("d MMM HH:mm:ss"));
}

} // namespace

SteeringView::SteeringView(const SweepContext& context, QWidget* parent)
    : SweepView(context, parent), m_stack(new QStackedLayout), m_rows(new QStandardItemModel(this)) {
    m_rows->setHorizontalHeaderLabels({tr("Time"), tr("By"), tr("Request")});
    auto* card = new Card;
    setMargins(card->body(), 0, 4, 0, 4);
    auto* holder = new QWidget;
    holder->setLayout(m_stack);
    m_stack->addWidget(noRequests());
    card->body()->addWidget(holder, 1);
    column(this)->addWidget(card);
}

// Once there is something to show.
void SteeringView::buildTable() {
    auto* table = plainTable(m_rows, tr("What people have asked of the sweep"));
    auto* header = table->horizontalHeader();
    header->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    header->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    header->setSectionResizeMode(2, QHeaderView::Stretch);
    m_stack->addWidget(table);
}

void SteeringView::draw() {
    const auto& requests = m_context.trials.log().requests();
    if (!requests.empty() && m_stack->count() == 1) buildTable();
    m_stack->setCurrentIndex(requests.empty() ? 0 : 1);
    m_rows->removeRows(0, m_rows->rowCount());
    for (auto request = requests.rbegin(); request != requests.rend(); ++request) {
        const QString what = sentence(QString::fromStdString(sweep::describe(*request)));
        QList<QStandardItem*> cells;
        for (const QString& text : {timeText(request->atMs), QString::fromStdString(request->author), what}) {
            auto* cell = new QStandardItem(text);
            cell->setEditable(false);
            cell->setToolTip(text);
            cells << cell;
        }
        m_rows->appendRow(cells);
    }
}

} // namespace trainyard::ui
