// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/checkpoints/checkpoints_page.h"

#include "engine/run/record/home_notes.h"
#include "ui/models/desktop/background.h"
#include "ui/models/runs/run_item.h"
#include "ui/models/text/format.h"
#include "ui/pages/checkpoints/diff_sheet.h"
#include "ui/pages/checkpoints/prune_sheet.h"
#include "ui/pages/page_table.h"
#include "ui/pages/shared/filter_field.h"
#include "ui/pages/shared/run_menu.h"
#include "ui/theme/paint.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/inputs/switch.h"
#include "ui/widgets/marks/cell_delegate.h"
#include "ui/widgets/marks/status_chip.h"

#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QShortcut>
#include <QStackedLayout>
#include <QTableView>

namespace trainyard::ui {

namespace {

constexpr int kPaceMs = 1000;
constexpr std::int64_t kNone = 0; // no checkpoint has that id

// Checkpoints of runs that live on hosts, from the copies of their records.
Result<std::vector<run::RunCheckpoints>> awayCheckpoints(const store::Workspace& workspace, store::RunQuery& here) {
    std::vector<run::RunCheckpoints> lists;
    const auto copies = run::mirrorWorkspace(workspace);
    std::error_code none;
    if (!std::filesystem::exists(copies.database(), none)) return lists;
    TY_ASSIGN(const auto query, store::RunQuery::open(copies));
    TY_ASSIGN(auto all, run::listCheckpoints(*query, false));
    for (auto& each : all) {
        const auto note = run::homeNote(workspace, each.run.id);
        const auto fetched = here.run(each.run.id);
        if (!note || (fetched && fetched->id == each.run.id)) continue;
        each.host = note->host;
        each.run.colorIndex = -1 - each.run.colorIndex; // as in the other lists
        lists.push_back(std::move(each));
    }
    return lists;
}

// The chip of the run's colour before its name.
class RunCellDelegate : public CellDelegate {
public:
    RunCellDelegate(const CheckpointsModel& model, QObject* parent) : CellDelegate(false, parent), m_model(model) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& theme = Theme::current();
        const auto* line = m_model.at(index.row());
        QStyleOptionViewItem cell = option;
        cell.rect.setLeft(option.rect.left() + theme.px(20));
        QStyleOptionViewItem whole = option; // the selection reaches under the chip
        initStyleOption(&whole, index);
        whole.text.clear();
        whole.widget->style()->drawControl(QStyle::CE_ItemViewItem, &whole, painter, whole.widget);
        CellDelegate::paint(painter, cell, index);
        if (!line) return;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const qreal side = theme.px(10);
        paintFrame(*painter,
                   QRectF(option.rect.left() + theme.px(14), option.rect.center().y() - side / 2 + 0.5, side, side),
                   theme.px(2), theme.curve(colorOf(line->of->run)), {});
        painter->restore();
    }

private:
    const CheckpointsModel& m_model;
};

// What keeps a checkpoint, as chips.
class KeptDelegate : public CellDelegate {
public:
    KeptDelegate(const CheckpointsModel& model, QObject* parent) : CellDelegate(false, parent), m_model(model) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem plain = option;
        initStyleOption(&plain, index);
        plain.text.clear();
        plain.widget->style()->drawControl(QStyle::CE_ItemViewItem, &plain, painter, plain.widget);
        const auto* line = m_model.at(index.row());
        if (!line) return;
        const Theme& theme = Theme::current();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        qreal x = option.rect.left() + theme.px(10);
        const auto chip = [&](const QString& words, Status status, const QString& icon = {}) {
            const int wide = chipWidth(words, icon);
            paintChip(*painter, QRectF(x, option.rect.center().y() - theme.px(10) + 0.5, wide, theme.px(20)), words,
                      status, icon);
            x += wide + theme.px(4);
        };
        const auto& row = line->row;
        if (row.pinned) chip(CheckpointsModel::tr("pinned"), Status::Info, QStringLiteral("pin"));
        if (row.best) chip(CheckpointsModel::tr("best"), Status::Success);
        if (row.last) chip(CheckpointsModel::tr("last"), Status::Neutral);
        if (row.superseded) chip(CheckpointsModel::tr("superseded"), Status::Warn);
        if (!row.pinned && !row.best && !row.last && !row.superseded) {
            painter->setFont(theme.body);
            painter->setPen(theme.text3);
            painter->drawText(option.rect.adjusted(theme.px(12), 0, 0, 0), Qt::AlignVCenter, index.data().toString());
        }
        painter->restore();
    }

private:
    const CheckpointsModel& m_model;
};

} // namespace

CheckpointsPage::CheckpointsPage(Workbench& bench, QWidget* parent)
    : Surface(SurfaceColor::Window, NoEdge, parent), m_bench(bench) {
    auto* layout = column(this);
    buildBar(layout);
    buildTable(layout);
    connect(&bench.feed, &WorkspaceFeed::anyCheckpointsChanged, this, &CheckpointsPage::load);
    connect(&bench.feed, &WorkspaceFeed::runsChanged, this, [this](const RunsDelta& delta) {
        for (const auto& run : delta.runs) m_names.add(*run);
        filter();
        if (!delta.removed.isEmpty()) load();
    });
    for (const auto& run : bench.feed.runs()) m_names.add(*run);
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &CheckpointsPage::load);
    refresh();
}

void CheckpointsPage::buildBar(QVBoxLayout* layout) {
    const Theme& theme = Theme::current();
    auto* header = new Surface(SurfaceColor::Window, BottomEdge);
    header->setFixedHeight(theme.px(48));
    auto* line = row(header, 8);
    setMargins(line, 16, 0, 16, 1);
    line->addWidget(new Label(tr("Checkpoints"), TextRole::Title));
    m_summary = new NumberLabel(TextRole::SmallSecondary);
    m_summary->setAlignment(Qt::AlignLeft);
    line->addWidget(m_summary, 1);
    m_pin = button(tr("Pin"), QStringLiteral("pin"));
    m_pin->setToolTip(tr("Pinned checkpoints are never deleted  P"));
    m_compare = button(tr("Compare"), QStringLiteral("compare"));
    m_compare->setToolTip(tr("Compare the weights of two selected checkpoints, tensor by tensor  C"));
    m_export = button(tr("Export"), QStringLiteral("export"));
    m_serve = button(actionText(action("serve")), QLatin1String(action("serve").icon));
    m_prune = button(tr("Prune…"), QStringLiteral("disk"));
    m_prune->setToolTip(tr("Delete checkpoints of the filtered runs by a rule"));
    for (auto* each : {m_pin, m_compare, m_export, m_serve, m_prune}) line->addWidget(each);
    layout->addWidget(header);
    auto* bar = new Surface(SurfaceColor::Window, BottomEdge);
    auto* tools = row(bar, 12);
    setMargins(tools, 16, 8, 16, 8);
    m_filter = new FilterField([this]() -> const run::FilterNames& { return m_names.names(); });
    m_filter->setMaximumWidth(theme.px(420));
    m_pinnedOnly = new Switch(tr("Pinned only"));
    m_problem = new Label(QString(), TextRole::SmallError);
    m_problem->setObjectName(QStringLiteral("filterProblem"));
    tools->addWidget(m_filter, 2);
    tools->addWidget(m_pinnedOnly);
    tools->addWidget(m_problem, 3);
    layout->addWidget(bar);
    connect(m_filter, &QLineEdit::textChanged, this, &CheckpointsPage::filter);
    connect(m_pinnedOnly, &QAbstractButton::toggled, this, &CheckpointsPage::filter);
    connect(m_pin, &QPushButton::clicked, this, &CheckpointsPage::pin);
    connect(m_compare, &QPushButton::clicked, this, &CheckpointsPage::compare);
    connect(m_serve, &QPushButton::clicked, this, &CheckpointsPage::serve);
    connect(m_prune, &QPushButton::clicked, this, &CheckpointsPage::prune);
    connect(m_export, &QPushButton::clicked, this,
            [this] { exportMenu(m_export->mapToGlobal(QPoint(0, m_export->height()))); });
}

void CheckpointsPage::buildTable(QVBoxLayout* layout) {
    const Theme& theme = Theme::current();
    m_table = plainTable(&m_model, tr("Checkpoints"));
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setItemDelegateForColumn(CheckpointsModel::Run, new RunCellDelegate(m_model, this));
    m_table->setItemDelegateForColumn(CheckpointsModel::Kept, new KeptDelegate(m_model, this));
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->setSortingEnabled(true);
    auto* head = m_table->horizontalHeader();
    head->setSectionsClickable(true);
    head->setSortIndicator(CheckpointsModel::Run, Qt::DescendingOrder);
    const std::array<int, CheckpointsModel::ColumnCount> widths{0, 216, 80, 88, 120, 176, 120};
    for (int section = 1; section < CheckpointsModel::ColumnCount; ++section)
        m_table->setColumnWidth(section, theme.px(widths[static_cast<std::size_t>(section)]));
    auto* empty = new EmptyState(tr("No checkpoints"), tr("Runs save one at the end of each epoch, unless their run "
                                                          "file says otherwise."));
    auto* holder = new QWidget;
    m_stack = new QStackedLayout(holder);
    m_stack->addWidget(new EmptyPage(empty));
    m_stack->addWidget(m_table);
    layout->addWidget(holder, 1);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &CheckpointsPage::refresh);
    connect(m_table, &QTableView::customContextMenuRequested, this,
            [this](const QPoint& at) { showMenu(m_table->viewport()->mapToGlobal(at)); });
    connect(m_table, &QTableView::doubleClicked, this, &CheckpointsPage::openRun);
    const auto key = [this](const char* keys, void (CheckpointsPage::*act)()) {
        auto* shortcut = new QShortcut(QKeySequence(QLatin1String(keys)), m_table, {}, {}, Qt::WidgetShortcut);
        connect(shortcut, &QShortcut::activated, this, act);
    };
    key("P", &CheckpointsPage::pin);
    key("C", &CheckpointsPage::compare);
    key("Return", &CheckpointsPage::openRun);
    key("Enter", &CheckpointsPage::openRun);
}

void CheckpointsPage::showEvent(QShowEvent* event) {
    Surface::showEvent(event);
    if (m_stale) load();
}

// Replaces the whole list, which is read again only when a checkpoint has changed.
void CheckpointsPage::load() {
    m_stale = true;
    if (!isVisible() || m_loading || m_again.isActive()) return;
    if (m_loaded.isValid() && m_loaded.elapsed() < kPaceMs)
        return m_again.start(kPaceMs - static_cast<int>(m_loaded.elapsed()));
    m_stale = false;
    m_loading = true;
    inBackground(
        this,
        [workspace = m_bench.feed.workspace()]() -> Result<Lists> {
            TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
            Lists lists;
            TY_ASSIGN(lists.here, run::listCheckpoints(*query, false));
            TY_ASSIGN(lists.away, awayCheckpoints(workspace, *query));
            return lists;
        },
        [this](Result<Lists> lists) { take(std::move(lists)); });
}

void CheckpointsPage::take(Result<Lists> lists) {
    m_loading = false;
    m_loaded.start();
    if (!lists) {
        m_problem->setText(QString::fromStdString(lists.error().text()));
        return;
    }
    std::vector<std::int64_t> before;
    for (const auto* line : chosen()) before.push_back(line->row.id);
    const auto* now = m_model.at(m_table->currentIndex().row());
    const std::int64_t current = now ? now->row.id : kNone;
    m_model.setRuns(std::move(lists->here), std::move(lists->away));
    filter();
    select(before, current);
    if (m_stale) load();
}

void CheckpointsPage::filter() {
    const RunFilter filter(m_filter->text());
    QString problem = filter.error();
    if (problem.isEmpty()) problem = filter.unknownName(m_names.names());
    m_problem->setText(problem);
    QSet<QString> matching;
    for (const auto& run : m_bench.feed.runs())
        if (problem.isEmpty() ? filter.matches(*run) : true) matching.insert(run->id);
    m_matching = matching;
    m_model.setShown(matching, m_pinnedOnly->isChecked());
    refresh();
}

void CheckpointsPage::select(const std::vector<std::int64_t>& checkpoints, std::int64_t current) {
    QItemSelection selection;
    for (const std::int64_t id : checkpoints)
        if (const int at = m_model.rowOf(id); at >= 0) selection.select(m_model.index(at, 0), m_model.index(at, 0));
    auto* model = m_table->selectionModel();
    model->select(selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    int row = m_model.rowOf(current);
    if (row < 0 && m_model.rowCount() > 0 && selection.isEmpty()) row = 0;
    if (row >= 0)
        model->setCurrentIndex(m_model.index(row, 0), selection.isEmpty()
                                                          ? QItemSelectionModel::Select | QItemSelectionModel::Rows
                                                          : QItemSelectionModel::NoUpdate);
}

std::vector<const CheckpointsModel::Line*> CheckpointsPage::chosen() const {
    std::vector<const CheckpointsModel::Line*> lines;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        if (const auto* line = m_model.at(index.row())) lines.push_back(line);
    return lines;
}

void CheckpointsPage::refresh() {
    m_stack->setCurrentIndex(m_model.all() > 0 ? 1 : 0);
    const int count = m_model.rowCount();
    if (count == m_model.all() || count > 0) {
        m_summary->setText(count == 0
                               ? QString()
                               : tr("%n checkpoints", nullptr, count) +
                                     tr(" of %n runs, %1", nullptr, m_model.runs()).arg(bytesText(m_model.bytes())));
    } else {
        m_summary->setText(tr("0 of %1 match").arg(m_model.all()));
    }
    const auto lines = chosen();
    const bool allPinned =
        !lines.empty() && std::all_of(lines.begin(), lines.end(), [](const auto* line) { return line->row.pinned; });
    const auto isOwn = [](const auto* line) { return !line->isOfHost(); };
    const auto isHere = [](const auto* line) { return line->isHere; };
    m_pin->setEnabled(!lines.empty() && std::all_of(lines.begin(), lines.end(), isOwn));
    m_pin->setText(allPinned ? tr("Unpin") : tr("Pin"));
    m_compare->setEnabled(lines.size() == 2 && std::all_of(lines.begin(), lines.end(), isHere));
    m_export->setEnabled(lines.size() == 1);
    m_prune->setEnabled(count > 0);
    showServe();
}

void CheckpointsPage::pin() {
    const auto lines = chosen();
    if (!m_pin->isEnabled()) return; // its key was pressed
    const bool allPinned = std::all_of(lines.begin(), lines.end(), [](const auto* line) { return line->row.pinned; });
    std::vector<std::int64_t> ids;
    for (const auto* line : lines)
        if (line->row.pinned == allPinned) ids.push_back(line->row.id);
    m_bench.actions.setPinned(ids, !allPinned);
}

void CheckpointsPage::compare() {
    auto lines = chosen();
    if (lines.size() != 2 || !m_compare->isEnabled()) return;
    // The earlier checkpoint is the one compared with.
    if (lines[0]->row.wallMs > lines[1]->row.wallMs) std::swap(lines[0], lines[1]);
    (new DiffSheet(window(), *lines[0], *lines[1]))->open();
}

void CheckpointsPage::exportMenu(const QPoint& at) {
    const auto lines = chosen();
    if (lines.size() != 1) return;
    const RunItemPtr run = m_bench.feed.run(QString::fromStdString(lines[0]->of->run.id));
    if (run) showCheckpointMenu({m_bench, run, window(), lines[0]->row}, at);
}

std::optional<ActionTarget> CheckpointsPage::servedTarget() const {
    const auto lines = chosen();
    const RunItemPtr run = lines.size() == 1 ? m_bench.feed.run(QString::fromStdString(lines[0]->of->run.id)) : nullptr;
    if (!run || !lines[0]->isHere) return std::nullopt;
    return ActionTarget{m_bench, run, window(), lines[0]->row};
}

// Beside every checkpoint, also where it cannot be: then it says why.
void CheckpointsPage::showServe() {
    const Action& serve = action("serve");
    const auto target = servedTarget();
    const QString why = target ? refusalOf(serve, *target) : tr("Select one checkpoint whose file is here");
    m_serve->setEnabled(target && why.isEmpty() && isOffered(serve, *target));
    m_serve->setToolTip(why.isEmpty() ? actionTip(serve) : why);
}

void CheckpointsPage::serve() {
    if (const auto target = servedTarget()) act(action("serve"), *target);
}

void CheckpointsPage::prune() {
    QStringList runs;
    for (const QString& run : std::as_const(m_matching)) runs << run;
    (new PruneSheet(m_bench, window(), runs, !m_filter->text().trimmed().isEmpty()))->open();
}

void CheckpointsPage::openRun() {
    const auto* line = m_model.at(m_table->currentIndex().row());
    if (!line) return;
    m_bench.selection.show(QString::fromStdString(line->of->run.id));
    Q_EMIT m_bench.pageRequested(PageId::runs);
}

void CheckpointsPage::showMenu(const QPoint& at) {
    if (chosen().size() == 1) return exportMenu(at);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(m_pin->text(), this, &CheckpointsPage::pin)->setEnabled(m_pin->isEnabled());
    menu->addAction(tr("Compare"), this, &CheckpointsPage::compare)->setEnabled(m_compare->isEnabled());
    menu->popup(at);
}

Page checkpointsPage() {
    return {"checkpoints", QT_TRANSLATE_NOOP("Page", "Checkpoints"), "disk", makePage<CheckpointsPage>};
}

} // namespace trainyard::ui
