// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/run_delegate.h"

#include "ui/models/format.h"
#include "ui/models/runs_model.h"
#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"
#include "ui/widgets/label.h"
#include "ui/widgets/sparkline.h"

#include <QDateTime>
#include <QLineEdit>
#include <QPainter>
#include <QTreeView>

namespace trainyard::ui {

RunDelegate::RunDelegate(Workbench& bench, RunsModel& model, QObject* parent)
    : QStyledItemDelegate(parent), m_bench(bench), m_model(model) {}

RunDelegate::Columns RunDelegate::columns(int width) {
    const Theme& theme = Theme::current();
    const int end = width - theme.px(12);
    const int valueRight = end - theme.px(44);
    const int sparkWidth = theme.px(56);
    // A narrow table gives up the sparkline first.
    const bool room = width >= theme.px(270);
    return {theme.px(33), theme.px(46), valueRight - theme.px(58) - sparkWidth, room ? sparkWidth : 0, valueRight, end};
}

bool RunDelegate::onChip(int x) {
    const int chip = columns(400).chip;
    return std::abs(x - chip) <= Theme::current().px(12);
}

QSize RunDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {Theme::current().px(200), Theme::current().px(28)};
}

void RunDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (index.data(RunsModel::IsGroupRole).toBool()) paintGroup(*painter, option, index);
    else if (const RunItemPtr run = m_model.item(index)) paintRun(*painter, option, *run);
    painter->restore();
}

void RunDelegate::paintGroup(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& theme = Theme::current();
    const QRect rect = option.rect;
    const auto* view = qobject_cast<const QTreeView*>(option.widget);
    const bool open = view && view->isExpanded(index);
    const qreal side = theme.px(16);
    paintIcon(painter, open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"),
              QRectF(rect.left() + theme.px(8), rect.center().y() - side / 2 + 0.5, side, side), theme.text2);
    const QString title = index.data(Qt::DisplayRole).toString();
    painter.setFont(theme.heading);
    painter.setPen(title == RunsModel::groupTitle(RunsModel::Failed) ? theme.error : theme.text);
    const QRect text = rect.adjusted(theme.px(28), 0, 0, 0);
    painter.drawText(text, Qt::AlignVCenter, title);
    const int width = painter.fontMetrics().horizontalAdvance(title);
    painter.setFont(theme.small);
    painter.setPen(theme.text3);
    painter.drawText(text.adjusted(width + theme.px(6), 0, 0, 0), Qt::AlignVCenter,
                     index.data(RunsModel::CountRole).toString());
}

void RunDelegate::paintBackground(QPainter& painter, const QStyleOptionViewItem& option, bool selected,
                                  bool current) const {
    const Theme& theme = Theme::current();
    // Of the window: a view takes the state of its own keyboard focus, which says nothing about the selection.
    const bool active = !option.widget || option.widget->isActiveWindow();
    if (selected) painter.fillRect(option.rect, active ? theme.selection : theme.selectionInactive);
    else if (option.state & QStyle::State_MouseOver || m_bench.selection.hovered() == option.text)
        painter.fillRect(option.rect, theme.hover);
    if (current)
        painter.fillRect(QRect(option.rect.left(), option.rect.top(), theme.px(2), option.rect.height()), theme.accent);
}

namespace {

// The words at the right end: percent while it runs, else when it ended or why it is not running.
QString endText(const RunItem& run, wire::RunStatus status, double progress) {
    if (status == wire::RunStatus::Queued) return RunDelegate::tr("waits");
    if (status == wire::RunStatus::Starting) return RunDelegate::tr("starts");
    if (status == wire::RunStatus::Paused) return RunDelegate::tr("paused");
    if (wire::isActive(status)) return QStringLiteral("%1%").arg(static_cast<int>(progress * 100));
    const auto since = run.row.finishedMs > 0 ? run.row.finishedMs : run.row.createdMs;
    return ageText(since, QDateTime::currentMSecsSinceEpoch());
}

} // namespace

void RunDelegate::paintRun(QPainter& painter, const QStyleOptionViewItem& option, const RunItem& run) const {
    const Theme& theme = Theme::current();
    const QRect rect = option.rect;
    const Columns at = columns(rect.width());
    const bool selected = m_bench.selection.isSelected(run.id);
    const bool current = m_bench.selection.current() == run.id;
    QStyleOptionViewItem background = option;
    background.text = run.id;
    paintBackground(painter, background, selected, current);

    const QColor color = theme.curve(run.row.colorIndex);
    const wire::RunStatus status = m_bench.feed.status(run);
    const bool failed = status == wire::RunStatus::Failed;
    const int left = rect.left();
    paintRunChip(painter, QPointF(left + at.chip, rect.center().y() + 0.5), color, selected);

    const QColor faint = selected ? theme.text2 : theme.text3;
    QFont nameFont = current ? theme.heading : theme.body;
    painter.setFont(nameFont);
    painter.setPen(theme.text);
    const int nameEnd = at.sparkWidth > 0 ? at.spark - theme.px(8) : at.valueRight - theme.px(58);
    const QRect name(left + at.name, rect.top(), nameEnd - at.name, rect.height());
    painter.drawText(name, Qt::AlignVCenter, painter.fontMetrics().elidedText(run.name, Qt::ElideRight, name.width()));

    const QList<double> spark = at.sparkWidth > 0 ? m_bench.feed.spark(run) : QList<double>{};
    if (spark.size() > 1) {
        const QColor line = selected ? color : mix(theme.panel, color, 0.75);
        paintSparkline(painter, QRectF(left + at.spark, rect.top() + theme.px(6), at.sparkWidth, theme.px(15)), spark,
                       line);
    } else if (failed && at.sparkWidth > 0) {
        painter.setFont(theme.small);
        painter.setPen(theme.error);
        painter.drawText(QRect(left + at.spark, rect.top(), at.sparkWidth + theme.px(10), rect.height()),
                         Qt::AlignVCenter, tr("step %1").arg(run.row.step));
    }
    painter.setPen(theme.text);
    const QRectF value(left + at.valueRight - theme.px(58), rect.top(), theme.px(58), rect.height());
    QString best = metricText(run.best);
    if (best.startsWith(QLatin1String("0.")))
        best.remove(0, 1); // ".9438": the column has one shape, the leading zero says nothing
    paintTabular(painter, value, Qt::AlignRight | Qt::AlignVCenter, theme.body, best);
    painter.setPen(failed ? theme.error : faint);
    const QRectF end(left + at.valueRight + theme.px(2), rect.top(), at.endRight - at.valueRight - theme.px(2),
                     rect.height());
    paintTabular(painter, end, Qt::AlignRight | Qt::AlignVCenter, theme.small,
                 endText(run, status, m_bench.feed.progress(run)));

    if (wire::isActive(status) && status != wire::RunStatus::Queued) {
        const QRectF track(left + at.name - theme.px(16), rect.bottom() - theme.px(1),
                           at.endRight - at.name + theme.px(16), theme.px(2));
        painter.fillRect(track, theme.border);
        painter.fillRect(QRectF(track.left(), track.top(), track.width() * m_bench.feed.progress(run), track.height()),
                         color);
    }
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
    // A running run's row changes all the time; what is being typed stays.
    if (!edit->isModified() && edit->text() != name) edit->setText(name);
}

void RunDelegate::setModelData(QWidget* editor, QAbstractItemModel*, const QModelIndex& index) const {
    const QString name = static_cast<QLineEdit*>(editor)->text().simplified();
    if (!name.isEmpty() && name != index.data(Qt::DisplayRole).toString())
        m_bench.actions.rename(index.data(RunsModel::RunIdRole).toString(), name);
}

void RunDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex&) const {
    const Columns at = columns(option.rect.width());
    editor->setGeometry(option.rect.left() + at.name - 6, option.rect.top(), at.valueRight - at.name,
                        option.rect.height());
}

} // namespace trainyard::ui
