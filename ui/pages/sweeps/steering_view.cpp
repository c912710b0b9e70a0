// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/steering_view.h"

#include "ui/models/text/engine_text.h"
#include "ui/models/text/format.h"
#include "ui/theme/paint.h"
#include "ui/widgets/card.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/marks/cell_delegate.h"

#include <QDateTime>
#include <QHeaderView>
#include <QLocale>
#include <QStandardItemModel>
#include <QTableView>

#include <algorithm>

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
    return QLocale().toString(QDateTime::fromMSecsSinceEpoch(wallMs), SteeringView::tr("d MMM HH:mm:ss"));
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

// Called once there is something to show.
void SteeringView::buildTable() {
    m_table = plainTable(m_rows, tr("Requests to the sweep"));
    auto* header = m_table->horizontalHeader();
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (const int column : {0, 1}) header->setSectionResizeMode(column, QHeaderView::Fixed);
    header->setSectionResizeMode(2, QHeaderView::Stretch);
    m_stack->addWidget(m_table);
}

// Time and author are never elided; the request gets the rest of the width.
void SteeringView::fitColumns() {
    const Theme& theme = Theme::current();
    for (const int column : {0, 1}) {
        int widest = QFontMetrics(theme.small).horizontalAdvance(m_rows->horizontalHeaderItem(column)->text());
        for (int row = 0; row < m_rows->rowCount(); ++row)
            widest = std::max(widest, static_cast<int>(tabularWidth(theme.body, m_rows->item(row, column)->text())));
        m_table->setColumnWidth(column, widest + theme.px(28));
    }
}

void SteeringView::draw() {
    const auto& requests = m_context.trials.log().requests();
    if (!requests.empty() && m_stack->count() == 1) buildTable();
    m_stack->setCurrentIndex(requests.empty() ? 0 : 1);
    m_rows->removeRows(0, m_rows->rowCount());
    for (auto request = requests.rbegin(); request != requests.rend(); ++request) {
        const QString what = sentence(engineSentence(sweep::describe(*request)));
        QList<QStandardItem*> cells;
        for (const QString& text : {timeText(request->atMs), QString::fromStdString(request->author), what}) {
            auto* cell = new QStandardItem(text);
            cell->setEditable(false);
            cell->setToolTip(text);
            cells << cell;
        }
        m_rows->appendRow(cells);
    }
    if (m_table) fitColumns();
}

} // namespace trainyard::ui
