// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/table/runs_panel.h"

#include "engine/run/actions/repair_workspace.h"
#include "ui/actions/key_bindings.h"
#include "ui/models/text/format.h"
#include "ui/pages/runs/table/queue_panel.h"
#include "ui/pages/runs/table/run_delegate.h"
#include "ui/pages/runs/table/runs_view.h"
#include "ui/pages/shared/filter_field.h"
#include "ui/pages/shared/run_menu.h"
#include "ui/pages/shared/saved_filters.h"
#include "ui/widgets/inputs/choice_picker.h"

#include <QDateTime>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QStackedWidget>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr int kChevron = 28; // chevron of a heading, from the left edge

bool isKeyOf(const Action& action, const QKeyEvent& pressed) {
    return KeyBindings::instance().keys(action) == QKeySequence(pressed.keyCombination());
}

// In the order in which they were chosen, range by range.
QModelIndexList rowsOf(const QItemSelection& selection) {
    QModelIndexList rows;
    for (const QItemSelectionRange& range : selection) {
        const QModelIndex parent = range.parent();
        for (int row = range.top(); row <= range.bottom(); ++row) rows << range.model()->index(row, 0, parent);
    }
    return rows;
}

// These rows in as few ranges as possible: Qt's selection takes time quadratic in the number of ranges.
QItemSelection inRanges(const QModelIndexList& rows) {
    QHash<QModelIndex, QList<int>> below;
    for (const QModelIndex& row : rows) below[row.parent()] << row.row();
    QItemSelection selection;
    for (auto it = below.begin(); it != below.end(); ++it) {
        QList<int>& places = it.value();
        std::sort(places.begin(), places.end());
        const QAbstractItemModel* model = rows.first().model();
        for (qsizetype first = 0, last = 0; first < places.size(); first = ++last) {
            while (last + 1 < places.size() && places[last + 1] == places[last] + 1) ++last;
            selection.append(
                QItemSelectionRange(model->index(places[first], 0, it.key()),
                                    model->index(places[last], model->columnCount(it.key()) - 1, it.key())));
        }
    }
    return selection;
}

// A button that opens a picker below itself.
template <class Make>
QToolButton* pickerButton(const QString& icon, const QString& name, Make make) {
    auto* made = iconButton(icon, name);
    QObject::connect(made, &QToolButton::clicked, made, [made, make] { make()->openBelow(made); });
    return made;
}

} // namespace

RunsPanel::RunsPanel(Workbench& bench, QWidget* parent)
    : Surface(SurfaceColor::Panel, NoEdge, parent), m_bench(bench), m_model(new RunsModel(this)) {
    build();
    connectSelection();
    connect(&bench.feed, &WorkspaceFeed::runsChanged, this, &RunsPanel::refresh);
    connect(&bench.feed, &WorkspaceFeed::sweepsChanged, this, [this] { refresh({}); });
    connect(&bench.feed, &WorkspaceFeed::stateChanged, this, &RunsPanel::followState);
    m_filter->setText(savedFilter().get());
    if (bench.feed.loaded()) refresh({bench.feed.runs(), {}});
}

QTreeView* RunsPanel::view() const { return m_view; }

Setting<QString> RunsPanel::savedFilter() const {
    return Settings::runFilter.of(QString::fromStdString(m_bench.feed.workspace().root.string()));
}

void RunsPanel::build() {
    m_view = new RunsView(m_bench, *m_model);
    m_view->viewport()->installEventFilter(this);
    m_view->installEventFilter(this);
    auto* layout = column(this);
    layout->addLayout(buildTop());
    m_filterError = new Label(QString(), TextRole::SmallError);
    m_filterError->setWordWrap(true);
    m_filterError->setContentsMargins(Theme::current().px(12), 0, Theme::current().px(12), Theme::current().px(6));
    m_filterError->hide();
    layout->addWidget(m_filterError);
    m_stack = new QStackedWidget;
    m_stack->addWidget(m_view);
    m_stack->addWidget(buildNothing());
    layout->addWidget(m_stack, 1);
    layout->addWidget(buildFooter());
    layout->addWidget(new QueuePanel(m_bench));
    connect(m_filter, &QLineEdit::textChanged, this, &RunsPanel::applyFilter);
    connect(m_clear, &QPushButton::clicked, m_filter, &QLineEdit::clear);
    connect(m_filter, &FilterField::left, this, &RunsPanel::enterTable);
    connect(&m_bench, &Workbench::filterShown, m_filter, &QLineEdit::setText);
    connect(m_archive, &QPushButton::clicked, this, &RunsPanel::archiveSelected);
    connect(m_view, &QTreeView::customContextMenuRequested, this, &RunsPanel::contextMenu);
    connect(m_model, &QAbstractItemModel::modelReset, this, &RunsPanel::selectionToView);
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] { m_bench.groups.set(m_model->groups()); });
    m_ages.setSingleShot(true);
    connect(&m_ages, &QTimer::timeout, this, &RunsPanel::showAges);
}

// All ages for the same moment, and again when they will have changed.
void RunsPanel::showAges() {
    m_view->viewport()->update();
    m_ages.start(ageTickMs(newestEndMs(m_bench.feed.runs()), QDateTime::currentMSecsSinceEpoch()));
}

void RunsPanel::showEvent(QShowEvent* event) {
    Surface::showEvent(event);
    showAges();
}

void RunsPanel::hideEvent(QHideEvent* event) {
    Surface::hideEvent(event);
    m_ages.stop();
}

QLayout* RunsPanel::buildTop() {
    auto* top = row(nullptr, 4);
    setMargins(top, 12, 8, 8, 8);
    m_filter = new FilterField([this]() -> const run::FilterNames& { return m_model->names(); },
                               [this](const run::FilterName& name) { return settingValues(m_model->runs(), name); });
    top->addWidget(m_filter, 1);
    top->addWidget(pickerButton(QStringLiteral("star"), tr("Saved filters"),
                                [this] { return savedFiltersPicker(m_bench, *m_filter, this); }));
    top->addWidget(
        pickerButton(QStringLiteral("group"), tr("Group the runs"), [this] { return m_view->groupPicker(); }));
    top->addWidget(
        pickerButton(QStringLiteral("columns"), tr("Choose the columns"), [this] { return m_view->columnPicker(); }));
    return top;
}

QWidget* RunsPanel::buildNothing() {
    auto* page = new QWidget;
    auto* layout = column(page, 8);
    setMargins(layout, 16, 24, 16, 16);
    m_nothing = new Label(QString(), TextRole::Heading);
    m_nothingWhy = new Label(QString(), TextRole::Secondary);
    m_nothingWhy->setWordWrap(true);
    m_nothingWhy->setTextFormat(Qt::PlainText);
    m_clear = button(tr("Clear the filter"), QStringLiteral("close"));
    auto* buttons = row(nullptr);
    buttons->addWidget(m_clear);
    buttons->addStretch();
    layout->addWidget(m_nothing);
    layout->addWidget(m_nothingWhy);
    layout->addLayout(buttons);
    layout->addStretch();
    return page;
}

QWidget* RunsPanel::buildFooter() {
    auto* footer = new Surface(SurfaceColor::Panel, TopEdge);
    footer->setFixedHeight(Theme::current().px(44));
    auto* bottom = row(footer, 8);
    setMargins(bottom, 12, 1, 12, 0);
    m_count = new Label(QString(), TextRole::SmallSecondary);
    m_archive = button(actionName(action("archive")), QLatin1String(action("archive").icon));
    m_archive->setToolTip(actionTip(action("archive")));
    bottom->addWidget(m_count, 1);
    bottom->addWidget(m_archive);
    return footer;
}

void RunsPanel::connectSelection() {
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsPanel::selectionFromView);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& index) {
        if (const RunItemPtr run = m_model->item(index); run && !m_syncing) m_bench.selection.setCurrent(run->id);
    });
    const auto follow = [this] {
        selectionToView();
        showCounts();
        m_view->viewport()->update();
    };
    connect(&m_bench.selection, &RunSelection::selectedChanged, this, follow);
    connect(&m_bench.selection, &RunSelection::currentChanged, this, follow);
    connect(&m_bench.selection, &RunSelection::hoveredChanged, this, [this] { m_view->viewport()->update(); });
    connect(m_view, &QTreeView::entered, this, [this](const QModelIndex& index) {
        const RunItemPtr run = m_model->item(index);
        m_bench.selection.setHovered(run ? run->id : QString());
    });
}

// A run's own state is newer than the database, on a full disk by far: the table shows the same as the inspector.
RunItemPtr RunsPanel::asLive(const RunItemPtr& run) const {
    const wire::RunStatus status = m_bench.feed.status(*run);
    if (status == run->status) return run;
    auto live = std::make_shared<RunItem>(*run);
    live->status = status;
    return live;
}

void RunsPanel::followState(const QString& run) {
    const RunItemPtr stored = m_bench.feed.run(run);
    const RunItemPtr shown = m_model->item(m_model->indexOf(run));
    if (stored && shown && m_bench.feed.status(*stored) != shown->status) refresh({{stored}, {}});
    m_model->touch(run);
}

void RunsPanel::refresh(const RunsDelta& delta) {
    RunsDelta shown = delta;
    for (RunItemPtr& run : shown.runs) run = asLive(run);
    m_syncing = true;
    m_model->setSweeps(m_bench.feed.sweeps());
    m_model->apply(shown);
    m_syncing = false;
    m_bench.groups.set(m_model->groups());
    if (m_refused && RunFilter(m_filter->text()).error().isEmpty())
        applyFilter(); // a run with that name may have arrived
    if (isVisible()) showAges();
    selectionToView();
    showCounts();
}

void RunsPanel::selectionToView() {
    if (m_syncing) return;
    m_syncing = true;
    QModelIndexList wanted;
    for (const QString& run : m_bench.selection.selected())
        if (const QModelIndex index = m_model->indexOf(run); index.isValid()) wanted << index;
    QModelIndexList shown = rowsOf(m_view->selectionModel()->selection());
    std::sort(wanted.begin(), wanted.end());
    std::sort(shown.begin(), shown.end());
    if (wanted != shown) m_view->selectionModel()->select(inRanges(wanted), QItemSelectionModel::ClearAndSelect);
    // A view opens the headings above its current row. To keep a folded group folded, its heading becomes the current
    // row.
    QModelIndex current = m_model->indexOf(m_bench.selection.current());
    for (QModelIndex heading = current.parent(); heading.isValid(); heading = heading.parent())
        if (!m_view->isExpanded(heading)) current = heading;
    if (current.siblingAtColumn(0) != m_view->currentIndex().siblingAtColumn(0))
        m_view->selectionModel()->setCurrentIndex(current, QItemSelectionModel::NoUpdate);
    m_syncing = false;
}

void RunsPanel::selectionFromView() {
    if (m_syncing) return;
    m_syncing = true;
    // Keeps the order of selection: the first selected run is the baseline.
    QStringList now;
    for (const QModelIndex& index : rowsOf(m_view->selectionModel()->selection()))
        if (const RunItemPtr run = m_model->item(index)) now << run->id;
    QSet<QString> chosen(now.begin(), now.end());
    QStringList ordered;
    for (const QString& run : m_bench.selection.selected())
        if (chosen.remove(run)) ordered << run;
    for (const QString& run : now)
        if (chosen.remove(run)) ordered << run;
    m_bench.selection.setSelected(ordered);
    if (const RunItemPtr run = m_model->item(m_view->currentIndex())) m_bench.selection.setCurrent(run->id);
    m_syncing = false;
    showCounts();
}

std::vector<RunItemPtr> RunsPanel::selectedRuns() const {
    std::vector<RunItemPtr> runs;
    for (const QString& id : m_bench.selection.selected())
        if (const RunItemPtr run = m_bench.feed.run(id)) runs.push_back(run);
    return runs;
}

void RunsPanel::showCounts() {
    const auto chosen = static_cast<int>(selectedRuns().size());
    QString words = tr("%n selected", nullptr, chosen);
    if (!m_filter->text().isEmpty()) words = tr("%1 of %2 match").arg(m_model->shown()).arg(m_model->all());
    m_count->setText(words);
    m_archive->setEnabled(chosen > 0);
    showNothing();
}

// Runs that have a folder and no record: the database is gone.
int RunsPanel::lostRuns() const {
    const auto& workspace = m_bench.feed.workspace();
    const auto query = store::RunQuery::open(workspace);
    const auto known = query ? (*query)->runs(true) : query.error();
    return known ? static_cast<int>(run::unrecordedRuns(workspace, *known).size()) : 0;
}

void RunsPanel::showNothing() {
    const bool nothing = m_bench.feed.loaded() && m_model->shown() == 0;
    const bool filtered = m_model->all() > 0;
    m_stack->setCurrentIndex(nothing ? 1 : 0);
    if (!nothing) return;
    m_clear->setVisible(filtered);
    const int lost = filtered ? 0 : lostRuns();
    if (filtered) {
        m_nothing->setText(tr("0 of %1 match").arg(m_model->all()));
        m_nothingWhy->setText(tr("No run matches the filter “%1”.").arg(m_filter->text()));
    } else if (lost > 0) {
        m_nothing->setText(tr("The database has lost %n runs", nullptr, lost));
        m_nothingWhy->setText(tr("Their folders still exist. To bring them back, run in a terminal: %1")
                                  .arg(QStringLiteral("trainyardctl workspace repair --workspace %1")
                                           .arg(QString::fromStdString(m_bench.feed.workspace().root.string()))));
    } else {
        m_nothing->setText(tr("No runs yet"));
        m_nothingWhy->setText(
            tr("Runs appear here once you start them. Drop logs of TensorBoard, W&B or MLflow here to import them."));
    }
}

void RunsPanel::applyFilter() {
    const RunFilter filter(m_filter->text());
    QString error = filter.error();
    if (error.isEmpty() && m_model->all() > 0) error = filter.unknownName(m_model->names());
    m_refused = !error.isEmpty();
    m_filterError->setText(error);
    m_filterError->setVisible(m_refused);
    setKind(m_filter, m_refused ? "error" : "");
    if (!m_refused) savedFilter().set(m_filter->text());
    // A refused filter filters nothing: a table that is empty for the wrong reason would look like an answer.
    m_view->setFiltered(!m_refused && !filter.empty());
    m_model->setFilter(m_refused ? RunFilter() : filter);
    showCounts();
}

void RunsPanel::focusFilter() {
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

// The current run stays if the filter keeps it; else the first one is shown.
void RunsPanel::enterTable() {
    m_view->setFocus(Qt::ShortcutFocusReason);
    if (m_model->item(m_view->currentIndex()) || m_model->rowCount() == 0) return;
    QModelIndex first = m_model->index(0, 0);
    while (!m_model->item(first) && m_model->rowCount(first) > 0) first = m_model->index(0, 0, first);
    m_view->setCurrentIndex(first);
}

void RunsPanel::contextMenu(const QPoint& position) {
    const QModelIndex index = m_view->indexAt(position);
    const QPoint at = m_view->viewport()->mapToGlobal(position);
    const RunItemPtr run = m_model->item(index);
    if (!run) {
        if (index.isValid()) headingMenu(index, at);
        return;
    }
    ActionTarget target{m_bench, run, this};
    if (m_bench.selection.isSelected(run->id)) target.runs = selectedRuns();
    showRunMenu(target, at);
}

void RunsPanel::headingMenu(const QModelIndex& heading, const QPoint& globalPosition) {
    const QStringList runs = m_model->runsBelow(heading);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto count = static_cast<int>(runs.size());
    menu->addAction(tr("Select these %n runs", nullptr, count), this,
                    [this, runs] { m_bench.selection.setSelected(runs); });
    menu->addAction(tr("Draw them with their mean ± std"), this, [this, runs] {
        m_bench.selection.setSelected(runs);
        if (!Settings::curvesBand.get()) Q_EMIT m_bench.bandToggled();
    });
    menu->popup(globalPosition);
}

void RunsPanel::archiveSelected() {
    ActionTarget target{m_bench, nullptr, this};
    target.runs = selectedRuns();
    if (target.runs.empty()) return;
    target.run = target.runs.front();
    const auto ended =
        std::count_if(target.runs.begin(), target.runs.end(), [](const auto& run) { return !run->active(); });
    const auto running = static_cast<int>(target.runs.size()) - static_cast<int>(ended);
    if (ended > 0) act(action("archive"), target);
    if (running == 1 && target.runs.size() == 1)
        Q_EMIT m_bench.statusMessage(tr("%1 is running; stop it before archiving").arg(target.run->name), {});
    else if (running > 0)
        Q_EMIT m_bench.statusMessage(tr("%n runs are still training; stop them before archiving", nullptr, running),
                                     {});
}

void RunsPanel::rename(const QString& run) {
    const QModelIndex index = m_model->indexOf(run);
    m_view->scrollTo(index); // this also opens its heading
    m_view->edit(index);
}

// Hides the runs of a group if all are shown, else shows all of them.
void RunsPanel::toggleGroup(const QModelIndex& heading) {
    const QStringList runs = m_model->runsBelow(heading);
    const bool hide = RunDelegate::shownOf(m_bench.selection, runs) == RunDelegate::Shown::All;
    QStringList selected = m_bench.selection.selected();
    if (hide) {
        const QSet<QString> gone(runs.begin(), runs.end());
        selected.removeIf([&](const QString& run) { return gone.contains(run); });
    } else {
        for (const QString& run : runs)
            if (!m_bench.selection.isSelected(run)) selected << run;
    }
    m_bench.selection.setSelected(selected);
}

bool RunsPanel::pressed(const QPoint& position, Qt::MouseButton button) {
    const QModelIndex index = m_view->indexAt(position);
    const int depth = RunDelegate::depthIn(*m_view, m_view->visualRect(index), position.x());
    if (index.data(RunsModel::IsGroupRole).toBool()) {
        if (button != Qt::LeftButton) return true; // the selection stays behind its menu
        if (index.data(RunsModel::GroupColorRole).isValid() && RunDelegate::onChip(index, depth)) {
            toggleGroup(index);
            return true;
        }
        // Headings of a chosen grouping can be selected like a run; statuses and sweeps only open.
        const bool choosable = m_model->grouping().by != RunGrouping::By::Status &&
                               (index.column() > 0 || depth > Theme::current().px(kChevron));
        if (choosable) m_bench.selection.setSelected(m_model->runsBelow(index));
        else m_view->toggle(index);
        return true;
    }
    const RunItemPtr run = m_model->item(index);
    if (!run || button != Qt::LeftButton || !RunDelegate::onChip(index, depth)) return false;
    m_bench.selection.toggle(run->id);
    return true;
}

bool RunsPanel::keyPressed(const QKeyEvent& key) {
    const QModelIndex current = m_view->currentIndex();
    const RunItemPtr run = m_model->item(current);
    if (isKeyOf(action("rename"), key) && run) rename(run->id);
    else if (isKeyOf(action("archive"), key)) archiveSelected();
    else if (key.key() == Qt::Key_Space && run) m_bench.selection.toggle(run->id);
    else if (key.key() == Qt::Key_Space && current.data(RunsModel::GroupColorRole).isValid()) toggleGroup(current);
    else if ((key.key() == Qt::Key_Space || key.key() == Qt::Key_Return) && current.isValid() && !run)
        m_view->toggle(current);
    else return false;
    return true;
}

bool RunsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_view->viewport() && event->type() == QEvent::MouseButtonPress) {
        auto* mouse = static_cast<QMouseEvent*>(event);
        if (pressed(mouse->position().toPoint(), mouse->button())) return true;
    } else if (watched == m_view->viewport() && event->type() == QEvent::Leave) {
        m_bench.selection.setHovered({});
    } else if (watched == m_view && event->type() == QEvent::KeyPress) {
        if (keyPressed(*static_cast<QKeyEvent*>(event))) return true;
    }
    return Surface::eventFilter(watched, event);
}

} // namespace trainyard::ui
