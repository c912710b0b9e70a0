// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/curves/chart_menu.h"

#include "ui/actions/action.h"
#include "ui/models/checkpoints/checkpoint_list.h"
#include "ui/models/text/format.h"
#include "ui/pages/runs/curves/chart_board.h"
#include "ui/pages/runs/curves/chart_desk.h"
#include "ui/pages/runs/curves/chart_values.h"
#include "ui/pages/runs/curves/y_range_sheet.h"
#include "ui/pages/shared/curves_export.h"
#include "ui/pages/shared/run_choices.h"
#include "ui/plots/card/metric_card.h"
#include "ui/theme/icon.h"

#include <QActionGroup>
#include <QLocale>
#include <QMenu>

namespace trainyard::ui {

namespace {

constexpr std::size_t kMostCheckpoints = 20; // in a menu: the latest

struct MenuWords {
    Q_DECLARE_TR_FUNCTIONS(ChartMenu)
};

// A name as a menu shows it: "&" would mark a key.
QString escapedText(const QString& name) { return QString(name).replace(QLatin1Char('&'), QLatin1String("&&")); }

using LayoutEdit = std::function<bool(ChartLayout&)>;

QAction* addEdit(QMenu& menu, const ChartMenuTarget& target, const QString& text, const QString& told, LayoutEdit edit,
                 const QString& iconName = {}) {
    auto* line = menu.addAction(text);
    if (!iconName.isEmpty()) line->setIcon(icon(iconName));
    QObject::connect(line, &QAction::triggered, &target.desk,
                     [&desk = target.desk, told, edit = std::move(edit)] { desk.change(told, edit); });
    return line;
}

void addPlace(QMenu& menu, const ChartMenuTarget& target, const ChartCard& chart) {
    const QString& id = target.id;
    const bool pinned = chart.pinned;
    addEdit(
        menu, target, pinned ? MenuWords::tr("Unpin") : MenuWords::tr("Pin to the top"),
        pinned ? MenuWords::tr("Chart unpinned") : MenuWords::tr("Chart pinned"),
        [id, pinned](ChartLayout& layout) { return layout.pin(id, !pinned); }, QStringLiteral("pin"));
    addEdit(menu, target, MenuWords::tr("Hide this chart"), MenuWords::tr("Chart hidden"),
            [id](ChartLayout& layout) { return layout.hide(id, true); });
    for (const int places : {-1, 1}) {
        auto* line = menu.addAction(places < 0 ? MenuWords::tr("Move forward") : MenuWords::tr("Move back"));
        line->setShortcut(QKeySequence(Qt::ALT | (places < 0 ? Qt::Key_Left : Qt::Key_Right)));
        line->setShortcutContext(Qt::WidgetShortcut); // only shown here; the board handles the key
        QObject::connect(line, &QAction::triggered, &target.board,
                         [&board = target.board, id, places] { Q_EMIT board.moveByRequested(id, places); });
    }
}

void offerSeries(const ChartMenuTarget& target, const QStringList& series, const QPoint& position) {
    auto* picker =
        new ChoicePicker(MenuWords::tr("Add series"), seriesChoices(series), ChoicePicker::Choose::One, &target.card);
    rememberChoices(*picker, QStringLiteral("series"));
    QObject::connect(picker, &ChoicePicker::chosen, &target.desk,
                     [&desk = target.desk, id = target.id](const QString& name) {
                         desk.change(MenuWords::tr("%1 added to the chart").arg(seriesTitle(name)),
                                     [&](ChartLayout& layout) { return layout.combine(id, name); });
                     });
    picker->openAt(position);
}

void addSeries(QMenu& menu, const ChartMenuTarget& target, const ChartCard& chart, const QPoint& position) {
    QStringList others;
    for (const QString& series : target.series)
        if (!chart.series.contains(series)) others << series;
    std::sort(others.begin(), others.end(), [](const QString& a, const QString& b) { // in the order of the charts
        return std::pair(seriesRank(a), a) < std::pair(seriesRank(b), b);
    });
    if (!others.isEmpty()) {
        auto* add = menu.addAction(icon(QStringLiteral("plus")), MenuWords::tr("Add series…"));
        QObject::connect(add, &QAction::triggered, &target.card,
                         [target, others, position] { offerSeries(target, others, position); });
    }
    if (chart.series.size() < 2) return;
    QMenu* away = menu.addMenu(MenuWords::tr("Remove series"));
    for (const QString& series : chart.series.mid(1))
        addEdit(*away, target, escapedText(seriesTitle(series)),
                MenuWords::tr("%1 is back in its own chart").arg(seriesTitle(series)),
                [id = target.id, series](ChartLayout& layout) { return layout.separate(id, series); });
}

void addAxis(QMenu& menu, const ChartMenuTarget& target, const ChartCard& chart) {
    QMenu* axis = menu.addMenu(MenuWords::tr("Y axis"));
    auto* group = new QActionGroup(axis);
    const auto add = [&](const QString& text, std::optional<YMode> mode) {
        ChartAxes axes = chart.axes;
        axes.y = mode;
        auto* line = addEdit(*axis, target, text, MenuWords::tr("Y axis changed"),
                             [id = target.id, axes](ChartLayout& layout) { return layout.setAxes(id, axes); });
        line->setCheckable(true);
        line->setChecked(chart.axes.y == mode);
        group->addAction(line);
    };
    add(MenuWords::tr("Same as the toolbar"), std::nullopt);
    add(MenuWords::tr("Linear"), YMode::Linear);
    add(MenuWords::tr("Logarithmic"), YMode::Log);
    axis->addSeparator();
    const auto setRange = [&desk = target.desk, id = target.id](const auto& range) {
        desk.change(range ? MenuWords::tr("Y range set") : MenuWords::tr("Y range fits the points"),
                    [&](ChartLayout& layout) {
                        const ChartCard* now = layout.find(id);
                        return now != nullptr && layout.setAxes(id, {now->axes.y, range});
                    });
    };
    QObject::connect(axis->addAction(MenuWords::tr("Range…")), &QAction::triggered, &target.card,
                     [&card = target.card, &desk = target.desk, typed = chart.axes.yRange, setRange] {
                         auto* sheet = new YRangeSheet(card.window(), card.title(), card.yRange(), typed);
                         QObject::connect(sheet, &YRangeSheet::chosen, &desk, setRange);
                         sheet->open();
                     });
    if (chart.axes.yRange)
        QObject::connect(axis->addAction(MenuWords::tr("Fit to the points")), &QAction::triggered, &target.desk,
                         [setRange] { setRange(std::optional<std::pair<double, double>>()); });
}

// Forks a run: from the checkpoint nearest to the pointer, or from a chosen one.
void addBranch(QMenu& menu, const ChartMenuTarget& target, const QPoint& position) {
    auto& bench = target.bench;
    const auto [pointed, step] = target.card.pointAt(target.card.mapFromGlobal(position));
    const RunItemPtr run = bench.feed.run(pointed.isEmpty() ? bench.selection.current() : pointed);
    const QList<CurveStyle> drawn = target.card.curves();
    if (!run || std::none_of(drawn.begin(), drawn.end(), [&](const auto& each) { return each.runId == run->id; }))
        return;
    const auto& rows = bench.feed.checkpoints(run->id);
    const auto fork = [&bench, run, parent = target.card.window()](const store::CheckpointRow& row) {
        return [&bench, run, parent, row] { act(action("fork"), {bench, run, parent, row}); };
    };
    const auto name = [](const store::CheckpointRow& row) {
        return MenuWords::tr("step %1").arg(QLocale().toString(qint64{row.step}));
    };
    if (const auto* nearest = pointed.isEmpty() ? nullptr : nearestCheckpoint(rows, step)) {
        auto* here = menu.addAction(icon(QStringLiteral("fork")),
                                    MenuWords::tr("Fork here: %1, %2…").arg(escapedText(run->name), name(*nearest)));
        QObject::connect(here, &QAction::triggered, &target.card, fork(*nearest));
    }
    if (rows.empty()) return;
    QMenu* all = menu.addMenu(MenuWords::tr("Fork %1 from").arg(escapedText(run->name)));
    const std::size_t from = rows.size() > kMostCheckpoints ? rows.size() - kMostCheckpoints : 0;
    for (std::size_t i = rows.size(); i-- > from;) {
        const QString text = rows[i].best ? MenuWords::tr("%1, the best").arg(name(rows[i])) : name(rows[i]);
        QObject::connect(all->addAction(text), &QAction::triggered, &target.card, fork(rows[i]));
    }
}

} // namespace

void showChartMenu(const ChartMenuTarget& target, const QPoint& position) {
    const ChartCard* chart = target.desk.layout().find(target.id);
    if (chart == nullptr) return;
    auto* menu = new QMenu(&target.card);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addPlace(*menu, target, *chart);
    menu->addSeparator();
    addSeries(*menu, target, *chart, position);
    addAxis(*menu, target, *chart);
    menu->addSeparator();
    QObject::connect(menu->addAction(icon(QStringLiteral("table")), MenuWords::tr("Show values…")), &QAction::triggered,
                     &target.card,
                     [&card = target.card] { (new ValuesSheet(card.window(), card.title(), card.points()))->open(); });
    QObject::connect(
        menu->addAction(icon(QStringLiteral("export")), MenuWords::tr("Export…")), &QAction::triggered, &target.card,
        [&bench = target.bench, &card = target.card, position] { showChartExport(bench, &card, position); });
    menu->addSeparator();
    if (const RunItemPtr run = target.bench.feed.run(target.bench.selection.current());
        run && chart->series.contains(QLatin1String("lr")))
        addActions(*menu, {"set-learning-rate"}, {target.bench, run, target.card.window()});
    addBranch(*menu, target, position);
    menu->popup(position);
}

} // namespace trainyard::ui
