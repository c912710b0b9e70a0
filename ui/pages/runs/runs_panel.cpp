// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/runs_panel.h"

#include "ui/pages/runs/run_delegate.h"
#include "ui/pages/runs/run_menu.h"
#include "ui/widgets/unit_field.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTreeView>

namespace trainyard::ui {

namespace {

// Names the columns that RunDelegate paints.
class RunsHeader : public QWidget {
public:
    RunsHeader() { setFixedHeight(Theme::current().px(28)); }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = Theme::current();
        QPainter painter(this);
        const auto at = RunDelegate::columns(width());
        painter.setFont(theme.small);
        painter.setPen(theme.text3);
        painter.drawText(QRect(at.name, 0, width(), height()), Qt::AlignVCenter, RunsPanel::tr("Run"));
        if (at.sparkWidth > 0)
            painter.drawText(QRect(at.spark, 0, at.sparkWidth, height()), Qt::AlignVCenter, RunsPanel::tr("trend"));
        painter.drawText(QRect(0, 0, at.valueRight, height()), Qt::AlignVCenter | Qt::AlignRight,
                         RunsPanel::tr("best"));
        painter.fillRect(0, height() - 1, width(), 1, theme.border);
    }
};

bool isKeyOf(const Action& action, const QKeyEvent& pressed) {
    return QKeySequence(QLatin1String(action.keys)) == QKeySequence(pressed.keyCombination());
}

} // namespace

RunsPanel::RunsPanel(Workbench& bench, QWidget* parent)
    : Surface(SurfaceColor::Panel, NoEdge, parent), m_bench(bench), m_model(new RunsModel(this)) {
    build();
    connectSelection();
    connect(&bench.feed, &WorkspaceFeed::runsChanged, this, &RunsPanel::refresh);
    connect(&bench.feed, &WorkspaceFeed::stateChanged, m_model, &RunsModel::touch);
}

void RunsPanel::build() {
    const Theme& theme = Theme::current();
    auto* layout = column(this);
    auto* top = row(nullptr, 4);
    setMargins(top, 12, 8, 12, 8);
    m_filter = new UnitEdit;
    m_filter->setLeadingIcon(QStringLiteral("filter"));
    m_filter->setPlaceholderText(tr("Filter: lr<0.1 and tag:x"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setAccessibleName(tr("Filter the runs"));
    m_filter->setToolTip(tr("Searches name, status, model, dataset and tags.\n"
                            "lr<0.1   val/accuracy>0.9   lr in 0.01..0.1   status:failed   tag:x\n"
                            "joined by “and”; a series stands for its best value.  Ctrl+F"));
    top->addWidget(m_filter);
    m_filterError = new Label(QString(), TextRole::SmallError);
    m_filterError->setWordWrap(true);
    m_filterError->setContentsMargins(theme.px(12), 0, theme.px(12), theme.px(6));
    m_filterError->hide();
    m_header = new RunsHeader;
    buildView();

    auto* footer = new Surface(SurfaceColor::Panel, TopEdge);
    footer->setFixedHeight(theme.px(44));
    auto* bottom = row(footer, 8);
    setMargins(bottom, 12, 1, 12, 0);
    m_count = new Label(QString(), TextRole::SmallSecondary);
    m_archive = button(actionName(action("archive")), QLatin1String(action("archive").icon));
    m_archive->setToolTip(actionTip(action("archive")));
    bottom->addWidget(m_count, 1);
    bottom->addWidget(m_archive);

    layout->addLayout(top);
    layout->addWidget(m_filterError);
    layout->addWidget(m_header);
    layout->addWidget(m_view, 1);
    layout->addWidget(footer);

    connect(m_filter, &QLineEdit::textChanged, this, &RunsPanel::applyFilter);
    connect(m_archive, &QPushButton::clicked, this, &RunsPanel::archiveSelected);
    connect(m_view, &QTreeView::customContextMenuRequested, this, &RunsPanel::contextMenu);
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        m_view->expandAll();
        selectionToView();
    });
    connect(m_model, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex& parent, int first, int last) {
        if (!parent.isValid()) // new groups start open
            for (int row = first; row <= last; ++row) m_view->expand(m_model->index(row, 0));
        else if (m_model->rowCount(parent) == last - first + 1) m_view->expand(parent);
    });
}

void RunsPanel::buildView() {
    m_view = new QTreeView;
    m_view->setModel(m_model);
    m_view->setItemDelegate(new RunDelegate(m_bench, *m_model, m_view));
    m_view->setHeaderHidden(true);
    m_view->setRootIsDecorated(false);
    m_view->setIndentation(0);
    m_view->setUniformRowHeights(true);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setExpandsOnDoubleClick(false);
    m_view->setMouseTracking(true);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->viewport()->setAutoFillBackground(false);
    m_view->setAccessibleName(tr("Runs"));
    m_view->viewport()->installEventFilter(this);
    m_view->installEventFilter(this);
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

void RunsPanel::refresh(const RunsDelta& delta) {
    m_syncing = true;
    m_model->apply(delta);
    m_syncing = false;
    selectionToView();
    showCounts();
}

void RunsPanel::selectionToView() {
    if (m_syncing) return;
    m_syncing = true;
    QItemSelection wanted;
    for (const QString& run : m_bench.selection.selected())
        if (const QModelIndex index = m_model->indexOf(run); index.isValid()) wanted.select(index, index);
    if (wanted != m_view->selectionModel()->selection())
        m_view->selectionModel()->select(wanted, QItemSelectionModel::ClearAndSelect);
    const QModelIndex current = m_model->indexOf(m_bench.selection.current());
    if (current != m_view->currentIndex())
        m_view->selectionModel()->setCurrentIndex(current, QItemSelectionModel::NoUpdate);
    m_syncing = false;
}

void RunsPanel::selectionFromView() {
    if (m_syncing) return;
    m_syncing = true;
    // The order of selection is kept: the first one chosen is the baseline of the others.
    QStringList now;
    for (const QModelIndex& index : m_view->selectionModel()->selectedIndexes())
        if (const RunItemPtr run = m_model->item(index)) now << run->id;
    QStringList ordered;
    for (const QString& run : m_bench.selection.selected())
        if (now.removeOne(run)) ordered << run;
    m_bench.selection.setSelected(ordered + now);
    if (const RunItemPtr run = m_model->item(m_view->currentIndex())) m_bench.selection.setCurrent(run->id);
    m_syncing = false;
    showCounts();
}

void RunsPanel::showCounts() {
    const auto chosen = static_cast<int>(m_bench.selection.selected().size());
    const auto all = static_cast<int>(m_bench.feed.runs().size());
    QString words = tr("%n selected", nullptr, chosen);
    if (!m_filter->text().isEmpty()) words = tr("%1 of %2 runs").arg(m_model->shown()).arg(all);
    m_count->setText(words);
    m_archive->setEnabled(chosen > 0);
}

void RunsPanel::applyFilter() {
    const RunFilter filter(m_filter->text());
    m_filterError->setText(filter.error());
    m_filterError->setVisible(!filter.error().isEmpty());
    setKind(m_filter, filter.error().isEmpty() ? "" : "error");
    if (filter.error().isEmpty()) {
        m_model->setFilter(filter);
        showCounts();
    }
}

void RunsPanel::focusFilter() {
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void RunsPanel::contextMenu(const QPoint& position) {
    if (const RunItemPtr run = m_model->item(m_view->indexAt(position))) {
        showRunMenu({m_bench, run, this}, m_view->viewport()->mapToGlobal(position));
    }
}

void RunsPanel::archiveSelected() {
    for (const QString& id : m_bench.selection.selected()) {
        const RunItemPtr run = m_bench.feed.run(id);
        if (run && run->active())
            Q_EMIT m_bench.statusMessage(tr("%1 is running; stop it before archiving").arg(run->name), {});
        else if (run) action("archive").act({m_bench, run, this});
    }
}

void RunsPanel::rename(const QString& run) {
    const QModelIndex index = m_model->indexOf(run);
    m_view->scrollTo(index);
    m_view->edit(index);
}

bool RunsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_view->viewport()) {
        if (event->type() == QEvent::MouseButtonPress) {
            auto* mouse = static_cast<QMouseEvent*>(event);
            const QModelIndex index = m_view->indexAt(mouse->position().toPoint());
            if (index.data(RunsModel::IsGroupRole).toBool()) {
                m_view->setExpanded(index, !m_view->isExpanded(index));
                return true;
            }
            const RunItemPtr run = m_model->item(index);
            if (run && mouse->button() == Qt::LeftButton && RunDelegate::onChip(mouse->position().toPoint().x())) {
                m_bench.selection.toggle(run->id);
                return true;
            }
        } else if (event->type() == QEvent::Leave) {
            m_bench.selection.setHovered({});
        }
    } else if (watched == m_view && event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        const RunItemPtr run = m_model->item(m_view->currentIndex());
        if (isKeyOf(action("rename"), *key) && run) {
            rename(run->id);
            return true;
        }
        if (isKeyOf(action("archive"), *key)) {
            archiveSelected();
            return true;
        }
        if (key->key() == Qt::Key_Space && run) {
            m_bench.selection.toggle(run->id);
            return true;
        }
    }
    return Surface::eventFilter(watched, event);
}

} // namespace trainyard::ui
