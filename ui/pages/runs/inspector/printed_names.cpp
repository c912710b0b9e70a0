// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/inspector/printed_names.h"

#include "engine/run/record/run_folder.h"
#include "engine/run/record/series/source_series.h"
#include "engine/spec/run/run_spec.h"
#include "ui/theme/theme.h"

#include <QContextMenuEvent>
#include <QListView>
#include <QMenu>
#include <QMouseEvent>

namespace trainyard::ui {

namespace {

// The names of its run file, which may be newer than what the run has been told of.
imports::PrintedNames chosenFor(const RunItem& run) {
    const auto spec = spec::readRunSpec(run::RunFolder{run.row.folder}.runFile());
    return spec && spec->program ? program::namesOfPrinted(spec->program->metrics.patterns) : imports::PrintedNames{};
}

} // namespace

QList<PrintedNumber> numbersOf(const WorkspaceFeed& feed, const LogModel::Line& line) {
    const RunItemPtr run = line.line && line.line->rank == 0 ? feed.run(line.run) : nullptr;
    if (!run || !run->isProgram) return {};
    return printedNumbers(QString::fromStdString(line.line->text), [&](const QString& name) {
        const auto beside = run::sourceSeries(program::SourceKind::Printed, name.toStdString());
        return feed.series().find(run->id, name) || feed.series().find(run->id, QString::fromStdString(beside));
    });
}

PrintedNames::PrintedNames(Workbench& bench, LogModel& model, QListView& view, std::function<int()> textLeft)
    : QObject(&view), m_bench(bench), m_model(model), m_view(view), m_textLeft(std::move(textLeft)) {
    view.installEventFilter(this);
    view.viewport()->installEventFilter(this);
    view.viewport()->setMouseTracking(true);
}

bool PrintedNames::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ContextMenu) {
        const auto* asked = static_cast<QContextMenuEvent*>(event);
        const bool byKey = asked->reason() == QContextMenuEvent::Keyboard;
        if (!byKey && watched != m_view.viewport()) return false;
        const QModelIndex index = byKey ? m_view.currentIndex() : m_view.indexAt(asked->pos());
        if (!index.isValid()) return false;
        const QPoint below = m_view.visualRect(index).bottomLeft() + QPoint(m_textLeft(), 0);
        offer(m_model.line(index.row()), {}, byKey ? m_view.viewport()->mapToGlobal(below) : asked->globalPos());
        return true;
    }
    if (watched != m_view.viewport()) return false;
    const auto* mouse = event->type() == QEvent::MouseMove || event->type() == QEvent::MouseButtonRelease
                            ? static_cast<QMouseEvent*>(event)
                            : nullptr;
    if (!mouse) return false;
    const auto hit = at(mouse->position().toPoint());
    if (event->type() == QEvent::MouseMove) {
        m_view.viewport()->setCursor(hit ? Qt::PointingHandCursor : Qt::ArrowCursor);
        m_view.viewport()->setToolTip(!hit ? QString()
                                      : hit->number.isTaken
                                          ? tr("“%1” is a metric; click to change that").arg(hit->number.name)
                                          : tr("Click to take “%1” as a metric").arg(hit->number.name));
    } else if (hit && mouse->button() == Qt::LeftButton && mouse->modifiers() == Qt::NoModifier) {
        const QRect line = m_view.visualRect(m_view.indexAt(mouse->position().toPoint()));
        const QPoint below(mouse->position().toPoint().x(), line.bottom());
        offer(hit->line, hit->number.name, m_view.viewport()->mapToGlobal(below));
    }
    return false; // the line is also chosen
}

std::optional<PrintedNames::Hit> PrintedNames::at(const QPoint& point) const {
    const QModelIndex index = m_view.indexAt(point);
    if (!index.isValid()) return std::nullopt;
    const auto line = m_model.line(index.row());
    const auto numbers = numbersOf(m_bench.feed, line);
    if (numbers.isEmpty()) return std::nullopt;
    const QFontMetrics metrics(Theme::current().body);
    const QString text = QString::fromStdString(line.line->text);
    const int x = point.x() - m_view.visualRect(index).left() - m_textLeft();
    for (const PrintedNumber& each : numbers) {
        const int left = metrics.horizontalAdvance(text.left(each.range.begin));
        if (x >= left && x <= left + metrics.horizontalAdvance(text.mid(each.range.begin, each.range.size)))
            return Hit{line, each};
    }
    return std::nullopt;
}

// All names of the line, that of the number first to be chosen.
void PrintedNames::offer(const LogModel::Line& line, const QString& name, const QPoint& where) {
    const auto numbers = numbersOf(m_bench.feed, line);
    const RunItemPtr run = m_bench.feed.run(line.run);
    if (numbers.isEmpty() || !run) return;
    auto* menu = new QMenu(&m_view);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("printedNames"));
    menu->addAction(tr("Metrics of this line"))->setEnabled(false);
    const auto chosen = chosenFor(*run);
    for (const PrintedNumber& each : numbers) {
        const std::string key = each.name.toStdString();
        QAction* action = menu->addAction(QString(each.name).replace(QLatin1Char('&'), QLatin1String("&&")));
        action->setCheckable(true);
        action->setChecked(chosen.taken.contains(key) || (each.isTaken && !chosen.dropped.contains(key)));
        if (each.name == name || (name.isEmpty() && !menu->activeAction())) menu->setActiveAction(action);
        connect(action, &QAction::triggered, this, [this, id = run->id, called = each.name](bool isChecked) {
            m_bench.actions.choosePrinted(id, called,
                                          isChecked ? program::PrintedChoice::Taken : program::PrintedChoice::Dropped);
        });
    }
    menu->popup(where);
}

} // namespace trainyard::ui
