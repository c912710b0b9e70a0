// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/table/run_delegate.h"

#include "ui/models/runs/runs_model.h"
#include "ui/models/text/format.h"
#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"
#include "ui/widgets/label.h"
#include "ui/widgets/marks/sparkline.h"

#include <QDateTime>
#include <QHeaderView>
#include <QLineEdit>
#include <QPainter>
#include <QTreeView>

namespace trainyard::ui {

namespace {

constexpr int kChip = 33, kName = 46; // chip and name of a run, from the left edge
constexpr int kIndent = 16;           // of the trials below their sweep
constexpr int kPad = 6;               // at both sides of a cell

int indentOf(const QModelIndex& index) {
    return index.parent().data(RunsModel::IsSweepRole).toBool() ? Theme::current().px(kIndent) : 0;
}

// The words at the right end: the time left while it runs, else when it ended or why it is not running.
QString endText(const RunItem& run, wire::RunStatus status, const WorkspaceFeed& feed) {
    if (run.home.isOutOfReach() && wire::isActive(status)) return RunDelegate::tr("no link");
    if (status == wire::RunStatus::Queued) return RunDelegate::tr("waiting");
    if (status == wire::RunStatus::Starting) return RunDelegate::tr("starting");
    if (status == wire::RunStatus::Paused) return RunDelegate::tr("paused");
    if (wire::isActive(status)) {
        const auto* live = feed.state(run.id);
        const QString left = live ? leftText(live->etaSeconds) : QString();
        if (left.isEmpty() && run.isProgram) return statusWord(status); // it tells no length
        return left.isEmpty() ? percentText(std::floor(feed.progress(run) * 100) / 100) : left;
    }
    return ageText(run.endMs(), QDateTime::currentMSecsSinceEpoch());
}

// The cell of a heading's title, joined with the empty cells beside it.
QRect withEmptyCells(const QTreeView& view, const QModelIndex& title, QRect cell) {
    for (int column = 1; column < view.header()->count(); ++column) {
        if (!title.siblingAtColumn(column).data(Qt::DisplayRole).toString().isEmpty()) break;
        const int more = view.header()->sectionSize(column);
        cell = view.isLeftToRight() ? cell.adjusted(0, 0, more, 0) : cell.adjusted(-more, 0, 0, 0);
    }
    return cell;
}

// The left half of a chip, for a group of which some runs are shown.
void paintHalfChip(QPainter& painter, const QPointF& center, const QColor& color) {
    const qreal side = Theme::current().px(10);
    painter.save();
    painter.setClipRect(QRectF(center.x() - side / 2, center.y() - side / 2, side / 2, side), Qt::IntersectClip);
    paintRunChip(painter, center, color, true);
    painter.restore();
}

// Left of a score, what it is a score of; elided at its beginning, as the ends differ.
void paintScoreName(QPainter& painter, const QRect& cell, const QString& name, qreal scoreWidth) {
    const Theme& theme = Theme::current();
    const QRectF room =
        mirrored(painter.layoutDirection(), cell, QRectF(cell).adjusted(0, 0, -scoreWidth - theme.px(6), 0));
    if (name.isEmpty() || room.width() < theme.px(48)) return;
    painter.setFont(theme.small);
    painter.setPen(theme.text3);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(name, Qt::ElideLeft, static_cast<int>(room.width())));
}

QRect inner(const QRect& cell) {
    const int pad = Theme::current().px(kPad);
    return cell.adjusted(pad, 0, -pad, 0);
}

} // namespace

RunDelegate::RunDelegate(Workbench& bench, RunsModel& model, QObject* parent)
    : QStyledItemDelegate(parent), m_bench(bench), m_model(model) {}

int RunDelegate::chipX(const QModelIndex& index) { return Theme::current().px(kChip) + indentOf(index); }

RunDelegate::Shown RunDelegate::shownOf(const RunSelection& selection, const QStringList& runs) {
    const auto shown =
        std::count_if(runs.begin(), runs.end(), [&](const QString& run) { return selection.isSelected(run); });
    return shown == 0 ? Shown::None : shown < runs.size() ? Shown::Some : Shown::All;
}

QPointF RunDelegate::chipCenter(const QStyleOptionViewItem& option, const QModelIndex& index, const QRect& cell) {
    const QPointF center(cell.left() + chipX(index), cell.center().y() + 0.5);
    return mirrored(option.direction, cell, QRectF(center, QSizeF())).topLeft();
}

int RunDelegate::depthIn(const QWidget& view, const QRect& cell, int x) {
    return view.isLeftToRight() ? x - cell.left() : cell.right() - x;
}

bool RunDelegate::onChip(const QModelIndex& index, int x) {
    return index.column() == 0 && std::abs(x - chipX(index)) <= Theme::current().px(12);
}

QSize RunDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {Theme::current().px(200), Theme::current().px(28)};
}

void RunDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (const RunItemPtr run = m_model.item(index)) {
        paintRun(*painter, option, index, *run);
    } else {
        // A title may reach into other cells, which a view paints one by one: each paints its part.
        painter->setClipRect(option.rect, Qt::IntersectClip);
        paintHeading(*painter, option, index);
    }
    painter->restore();
}

void RunDelegate::paintHeading(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& theme = Theme::current();
    const auto* view = qobject_cast<const QTreeView*>(option.widget);
    const QRect rect = view && index.column() == 0 ? withEmptyCells(*view, index, option.rect) : option.rect;
    const bool isSweep = index.siblingAtColumn(0).data(RunsModel::IsSweepRole).toBool();
    const QString title = index.data(Qt::DisplayRole).toString();
    if (index.column() > 0 && title.isEmpty()) {
        if (!view) return;
        QStyleOptionViewItem first = option;
        first.rect = view->visualRect(index.siblingAtColumn(0));
        return paintHeading(painter, first, index.siblingAtColumn(0));
    }
    if (option.state & QStyle::State_MouseOver) painter.fillRect(rect, theme.hover);
    if (index.column() > 0) {
        painter.setPen(isSweep ? theme.text : theme.text2);
        paintTabular(painter, inner(rect), Qt::AlignRight | Qt::AlignVCenter, isSweep ? theme.body : theme.small,
                     title);
        paintScoreName(painter, inner(rect), index.data(RunsModel::ScoreSeriesRole).toString(),
                       tabularWidth(isSweep ? theme.body : theme.small, title));
        return;
    }
    const qreal side = theme.px(16);
    const qreal left = rect.left() + theme.px(isSweep ? 25 : 8);
    const auto placed = [&](const QRectF& box) { return mirrored(option.direction, rect, box); };
    paintIcon(painter,
              view && view->isExpanded(index)       ? QStringLiteral("chevron-down")
              : option.direction == Qt::LeftToRight ? QStringLiteral("chevron-right")
                                                    : QStringLiteral("chevron-left"),
              placed(QRectF(left, rect.center().y() - side / 2 + 0.5, side, side)), theme.text2);
    const QVariant group = index.data(RunsModel::GroupColorRole);
    if (group.isValid()) {
        const QPointF chip = chipCenter(option, index, rect);
        const QColor color = theme.curve(group.value<RunColor>());
        const Shown shown = shownOf(m_bench.selection, m_model.runsBelow(index));
        paintRunChip(painter, chip, color, shown == Shown::All);
        if (shown == Shown::Some) paintHalfChip(painter, chip, color);
    }
    const QString count = index.data(RunsModel::CountRole).toString();
    const int countWidth = QFontMetrics(theme.small).horizontalAdvance(count) + theme.px(6);
    const QRect text = rect.adjusted(theme.px(isSweep || group.isValid() ? kName : 28), 0, -theme.px(kPad), 0);
    painter.setFont(isSweep ? theme.body : theme.heading);
    painter.setPen(title == RunsModel::groupTitle(RunsModel::Failed) ? theme.error : theme.text);
    const QString shown =
        painter.fontMetrics().elidedText(title, Qt::ElideRight, std::max(0, text.width() - countWidth));
    painter.drawText(placed(text), Qt::AlignVCenter, shown);
    const int width = painter.fontMetrics().horizontalAdvance(shown);
    painter.setFont(theme.small);
    painter.setPen(theme.text3);
    painter.drawText(placed(text.adjusted(width + theme.px(6), 0, 0, 0)), Qt::AlignVCenter, count);
}

void RunDelegate::paintBackground(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                                  const RunItem& run) const {
    const Theme& theme = Theme::current();
    // Uses the state of the window: a view uses its own keyboard focus, which says nothing about the selection.
    const bool active = !option.widget || option.widget->isActiveWindow();
    if (m_bench.selection.isSelected(run.id))
        painter.fillRect(option.rect, active ? theme.selection : theme.selectionInactive);
    else if (option.state & QStyle::State_MouseOver || m_bench.selection.hovered() == run.id)
        painter.fillRect(option.rect, theme.hover);
    if (index.column() == 0 && m_bench.selection.current() == run.id)
        painter.fillRect(mirrored(option.direction, option.rect,
                                  QRectF(option.rect.left(), option.rect.top(), theme.px(2), option.rect.height())),
                         theme.accent);
}

void RunDelegate::paintRun(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                           const RunItem& run) const {
    paintBackground(painter, option, index, run);
    if (index.column() == 0) paintName(painter, option, index, run);
    else if (m_model.columns()[index.column()].kind == RunColumn::Kind::Trend) paintTrend(painter, option.rect, run);
    else paintText(painter, option.rect, index, run);
    const wire::RunStatus status = m_bench.feed.status(run);
    if (wire::isActive(status) && status != wire::RunStatus::Queued) paintProgress(painter, option, index, run);
}

// Where runs are grouped, the colour of their group is theirs, in the charts too.
QColor RunDelegate::colorOf(const RunItem& run) const {
    const RunGroup* group = m_bench.groups.of(run.id);
    return Theme::current().curve(group ? group->color : run.color);
}

void RunDelegate::paintName(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                            const RunItem& run) const {
    const Theme& theme = Theme::current();
    const QRect rect = option.rect;
    const auto placed = [&](const QRectF& box) { return mirrored(option.direction, rect, box); };
    paintRunChip(painter, chipCenter(option, index, rect), colorOf(run), m_bench.selection.isSelected(run.id));
    painter.setFont(m_bench.selection.current() == run.id ? theme.heading : theme.body);
    painter.setPen(theme.text);
    QRect name = rect.adjusted(theme.px(kName) + indentOf(index), 0, -theme.px(kPad), 0);
    if (!run.home.isHere()) {
        const qreal side = theme.px(14);
        paintIcon(painter, QStringLiteral("server"),
                  placed(QRectF(name.right() - side, name.center().y() - side / 2 + 0.5, side, side)),
                  run.home.isOutOfReach() ? theme.warn : theme.text3);
        name.setRight(name.right() - theme.px(18));
    }
    painter.drawText(placed(name), Qt::AlignVCenter, elidedName(painter.fontMetrics(), run.name, name.width()));
}

void RunDelegate::paintTrend(QPainter& painter, const QRect& cell, const RunItem& run) const {
    const Theme& theme = Theme::current();
    const QRect rect = inner(cell);
    const QList<double> spark = m_bench.feed.spark(run);
    if (spark.size() > 1) {
        const QColor color = colorOf(run);
        const QColor line = m_bench.selection.isSelected(run.id) ? color : mix(theme.panel, color, 0.75);
        paintSparkline(painter, QRectF(rect.left(), rect.top() + theme.px(6), rect.width(), theme.px(15)), spark, line);
    } else if (m_bench.feed.status(run) == wire::RunStatus::Failed) {
        painter.setFont(theme.small);
        painter.setPen(theme.error);
        const QString step = tr("step %1").arg(countText(static_cast<double>(run.row.step)));
        if (painter.fontMetrics().horizontalAdvance(step) <= rect.width() + 2) // the inspector tells it, too
            painter.drawText(rect, Qt::AlignVCenter, step);
    }
}

void RunDelegate::paintText(QPainter& painter, const QRect& cell, const QModelIndex& index, const RunItem& run) const {
    const Theme& theme = Theme::current();
    const RunColumn& column = m_model.columns()[index.column()];
    const wire::RunStatus status = m_bench.feed.status(run);
    const bool isAge = column.kind == RunColumn::Kind::Age;
    const bool isWords = column.kind == RunColumn::Kind::Tags || column.kind == RunColumn::Kind::Notes;
    const QColor faint = m_bench.selection.isSelected(run.id) ? theme.text2 : theme.text3;
    const bool isState = isAge || column.kind == RunColumn::Kind::Status;
    const bool failed = status == wire::RunStatus::Failed && isState;
    const bool uncertain = run.home.isOutOfReach() && wire::isActive(status) && isState;
    painter.setPen(failed ? theme.error : uncertain ? theme.warn : isAge || isWords ? faint : theme.text);
    const QFont& font = isAge ? theme.small : theme.body;
    QString text = index.data(Qt::DisplayRole).toString();
    if (isAge) text = endText(run, status, m_bench.feed);
    const QRect rect = inner(cell);
    const auto alignment =
        static_cast<Qt::Alignment>(m_model.headerData(index.column(), Qt::Horizontal, Qt::TextAlignmentRole).toInt());
    paintTabular(painter, rect, alignment, font, QFontMetrics(font).elidedText(text, Qt::ElideRight, rect.width() + 2));
    paintScoreName(painter, rect, index.data(RunsModel::ScoreSeriesRole).toString(), tabularWidth(font, text));
}

// A line below the whole row; each cell paints its part.
void RunDelegate::paintProgress(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                                const RunItem& run) const {
    const auto* view = qobject_cast<const QTreeView*>(option.widget);
    if (!view) return;
    const Theme& theme = Theme::current();
    const QRectF cell(option.rect);
    const auto before = view->header()->sectionPosition(index.column());
    const qreal rowLeft =
        view->isLeftToRight() ? cell.left() - before : cell.right() + before - view->header()->length();
    const QRectF whole(rowLeft, cell.top(), view->header()->length(), cell.height());
    const qreal left = rowLeft + theme.px(kName) + indentOf(index) - theme.px(16);
    const qreal right = rowLeft + view->header()->length() - theme.px(kPad);
    const auto placed = [&](const QRectF& box) { return mirrored(option.direction, whole, box); };
    const QRectF track = placed(QRectF(left, option.rect.bottom() - theme.px(1), right - left, theme.px(2)));
    painter.fillRect(track.intersected(cell), theme.border);
    const QRectF done =
        mirrored(option.direction, track,
                 QRectF(track.left(), track.top(), track.width() * m_bench.feed.progress(run), track.height()));
    painter.fillRect(done.intersected(cell), colorOf(run));
}

QWidget* RunDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const {
    if (index.data(RunsModel::IsGroupRole).toBool()) return nullptr;
    auto* edit = new QLineEdit(parent);
    edit->setMaxLength(120);
    edit->setAccessibleName(tr("Name of the run"));
    return edit;
}

void RunDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    auto* edit = static_cast<QLineEdit*>(editor);
    const QString name = index.data(Qt::DisplayRole).toString();
    // A running run's row changes all the time; the text being typed stays.
    if (!edit->isModified() && edit->text() != name) edit->setText(name);
}

void RunDelegate::setModelData(QWidget* editor, QAbstractItemModel*, const QModelIndex& index) const {
    const QString name = static_cast<QLineEdit*>(editor)->text().simplified();
    if (!name.isEmpty() && name != index.data(Qt::DisplayRole).toString())
        m_bench.actions.rename(index.data(RunsModel::RunIdRole).toString(), name);
}

void RunDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                       const QModelIndex& index) const {
    const int left = Theme::current().px(kName) + indentOf(index) - 6;
    editor->setGeometry(mirrored(option.direction, option.rect, option.rect.adjusted(left, 0, 0, 0)).toRect());
}

} // namespace trainyard::ui
