// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/samples/class_scores.h"

#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"
#include "ui/widgets/marks/bars.h"
#include "ui/widgets/marks/cell_delegate.h"

#include <QHeaderView>
#include <QPainter>
#include <QTableView>

#include <array>

namespace trainyard::ui {

namespace {

constexpr int kRowsMeasured = 40, kScoresOfClasses = 5, kF1 = 3, kSupport = 4;
constexpr int kNameRoom = 110, kLeastNameRoom = 72, kSortArrow = 12, kScorePads = 20; // design pixels

// Paints numbers; those from 0 to 1 over a proportional bar.
class ScoreDelegate : public CellDelegate {
public:
    using CellDelegate::CellDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        CellDelegate::paint(painter, option, index);
        const QVariant share = index.data(ClassTable::ShareRole);
        if (!share.isValid()) return;
        const Theme& theme = Theme::current();
        const QRectF cell(option.rect);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        paintBar(
            *painter,
            QRectF(cell.left() + theme.px(10), cell.bottom() - theme.px(4), cell.width() - theme.px(20), theme.px(3)),
            share.toDouble(), theme.seq[3], theme.track);
        painter->restore();
    }
};

// Titles with the margins of the cells below, which are wider than in other tables; the sort arrow stands before the
// title.
class ScoreHeader : public QHeaderView {
public:
    explicit ScoreHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {}

    int widthOf(int section) const {
        const QString title = model()->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString();
        const int arrow = sortIndicatorSection() == section ? Theme::current().px(kSortArrow) : 0;
        return QFontMetrics(Theme::current().small).horizontalAdvance(title) + arrow;
    }

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override {
        const Theme& theme = Theme::current();
        painter->save();
        painter->fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.border);
        const bool sorted = sortIndicatorSection() == section;
        QRect text = rect.adjusted(theme.px(section == 0 ? 12 : 2), 0, -theme.px(10), 0);
        if (sorted) {
            const int side = theme.px(kSortArrow),
                      left = section == 0 ? text.right() - side : text.right() - widthOf(section);
            paintSortArrow(*painter, QRectF(left, text.center().y() - side / 2.0 + 1, side, side), sortIndicatorOrder(),
                           theme.text2);
        }
        const auto role = [&](int which) { return model()->headerData(section, Qt::Horizontal, which); };
        painter->setFont(theme.small);
        painter->setPen(sorted ? theme.text2 : theme.text3);
        painter->drawText(text, role(Qt::TextAlignmentRole).toInt(), role(Qt::DisplayRole).toString());
        painter->restore();
    }
};

} // namespace

ClassScores::ClassScores(QWidget* parent) : Card(tr("Per class"), parent) {
    m_view = plainTable(&m_table, tr("Scores of each class"));
    m_view->setItemDelegate(new ScoreDelegate(false, m_view));
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* header = new ScoreHeader(m_view);
    m_view->setHorizontalHeader(header);
    header->setFixedHeight(Theme::current().px(28));
    header->setAutoFillBackground(false);
    header->viewport()->setAutoFillBackground(false);
    header->setSectionResizeMode(QHeaderView::Fixed);
    header->setSectionResizeMode(0, QHeaderView::Stretch);
    header->setSectionsClickable(true);
    header->setSortIndicatorClearable(true);
    header->setSortIndicator(-1, Qt::AscendingOrder);
    m_view->setSortingEnabled(true);
    connect(header, &QHeaderView::sortIndicatorChanged, this, &ClassScores::fitColumns);
    body()->setContentsMargins(1, 0, 1, 1);
    body()->addWidget(m_view);
    const auto choose = [this](const QModelIndex& index) { Q_EMIT chosen(m_table.classAt(index.row())); };
    connect(m_view, &QTableView::clicked, this, choose);
    connect(m_view, &QTableView::activated, this, choose);
}

void ClassScores::setEvaluation(const run::Evaluation& evaluation, const QString& summary) {
    const bool columns = evaluation.task == spec::TaskKind::Regression;
    setTitle(columns ? tr("Per column") : tr("Per class"));
    setNote(summary);
    m_view->setAccessibleName(columns ? tr("Errors of each column") : tr("Scores of each class"));
    m_table.setScores(evaluation.task, evaluation.classes);
    fitColumns();
}

// The names keep their width. Where there is little room, F1 goes first, because it follows from the two columns before
// it; then the number of samples.
void ClassScores::fitColumns() {
    const Theme& theme = Theme::current();
    const auto* header = static_cast<const ScoreHeader*>(m_view->horizontalHeader());
    std::array<int, kScoresOfClasses> widths{};
    int width = 0;
    for (int column = 1; column < m_table.columnCount(); ++column) {
        int wide = header->widthOf(column);
        for (int row = 0; row < std::min(m_table.rowCount(), kRowsMeasured); ++row)
            wide = std::max(wide,
                            static_cast<int>(tabularWidth(theme.body, m_table.index(row, column).data().toString())));
        wide += theme.px(kScorePads);
        m_view->setColumnWidth(column, wide);
        width += wide;
        if (column < kScoresOfClasses) widths[static_cast<std::size_t>(column)] = wide;
    }
    const bool classes = m_table.columnCount() >= kScoresOfClasses;
    const int room = m_view->viewport()->width();
    const bool narrow = classes && room < width + theme.px(kNameRoom);
    m_view->setColumnHidden(kF1, narrow);
    m_view->setColumnHidden(kSupport, narrow && room < width - widths[kF1] + theme.px(kLeastNameRoom));
}

void ClassScores::resizeEvent(QResizeEvent* event) {
    Card::resizeEvent(event);
    fitColumns();
}

void ClassScores::setCurrent(int number) {
    const int row = m_table.rowOf(number);
    if (row < 0) return m_view->selectionModel()->clear();
    m_view->setCurrentIndex(m_table.index(row, 0));
}

} // namespace trainyard::ui
