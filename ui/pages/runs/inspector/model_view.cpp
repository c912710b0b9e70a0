// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/inspector/model_view.h"

#include "engine/run/mirror/mirror_copy.h"
#include "ui/models/desktop/background.h"
#include "ui/models/text/format.h"
#include "ui/pages/shared/run_menu.h"
#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/widgets/card.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/inputs/unit_field.h"
#include "ui/widgets/marks/cell_delegate.h"
#include "ui/widgets/marks/status_chip.h"

#include <QHeaderView>
#include <QPainter>
#include <QScopedValueRollback>
#include <QShortcut>
#include <QStyledItemDelegate>
#include <QTableView>

namespace trainyard::ui {

namespace {

// The name column of the checkpoints: mark, title, chips.
class CheckpointNameDelegate : public QStyledItemDelegate {
public:
    CheckpointNameDelegate(CheckpointTable& table, ModelView& view)
        : QStyledItemDelegate(&view), m_table(table), m_view(view) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem plain = option;
        initStyleOption(&plain, index);
        const QString title = plain.text;
        plain.text.clear();
        plain.widget->style()->drawControl(QStyle::CE_ItemViewItem, &plain, painter, plain.widget);
        const auto* row = m_table.at(index.row());
        if (!row) return;
        const Theme& theme = Theme::current();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const QRect rect = option.rect;
        const qreal side = theme.px(16);
        const QString mark = row->best   ? QStringLiteral("star-filled")
                             : row->last ? QStringLiteral("clock")
                                         : QString();
        if (!mark.isEmpty()) {
            paintIcon(*painter, mark,
                      QRectF(rect.left() + theme.px(12), rect.center().y() - side / 2 + 0.5, side, side), theme.text2);
        }
        painter->setFont(row->best ? theme.heading : theme.body);
        painter->setPen(theme.text);
        qreal x = rect.left() + theme.px(36);
        painter->drawText(QRectF(x, rect.top(), rect.width(), rect.height()), Qt::AlignVCenter, title);
        x += painter->fontMetrics().horizontalAdvance(title) + theme.px(8);
        const auto chip = [&](const QString& words, Status status) {
            const int wide = chipWidth(words, {});
            if (x + wide > rect.right()) return; // cut off, it would look broken; the icon shows it too
            paintChip(*painter, QRectF(x, rect.center().y() - theme.px(10) + 0.5, wide, theme.px(20)), words, status,
                      {});
            x += wide + theme.px(4);
        };
        if (row->best) chip(ModelView::tr("best"), Status::Success);
        if (row->last) chip(ModelView::tr("last"), Status::Neutral);
        if (row->pinned) chip(ModelView::tr("pinned"), Status::Info);
        if (m_view.isOfHost() && run::isFetched(*row)) chip(ModelView::tr("fetched"), Status::Info);
        if (m_view.isOfProgram()) { // which names its files itself
            const QFontMetricsF metrics(theme.small);
            const qreal room = rect.right() - x - theme.px(12);
            painter->setFont(theme.small);
            painter->setPen(theme.text2);
            painter->drawText(
                QRectF(x + theme.px(4), rect.top(), room, rect.height()), Qt::AlignVCenter,
                metrics.elidedText(QString::fromStdString(row->path).section(u'/', -1), Qt::ElideMiddle, room));
        }
        painter->restore();
    }

private:
    CheckpointTable& m_table;
    ModelView& m_view;
};

// The distribution column: 22 bins as bars.
class HistogramDelegate : public QStyledItemDelegate {
public:
    HistogramDelegate(TensorTable& table, QObject* parent) : QStyledItemDelegate(parent), m_table(table) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const auto* tensor = m_table.at(index.row());
        if (!tensor || !tensor->read) return;
        const Theme& theme = Theme::current();
        const int most = *std::max_element(tensor->histogram.begin(), tensor->histogram.end());
        const QRectF box(option.rect.left() + theme.px(12), option.rect.top() + theme.px(4), theme.px(88),
                         theme.px(20));
        const qreal step = box.width() / TensorStats::kBins;
        for (int bin = 0; bin < TensorStats::kBins; ++bin) {
            const int count = tensor->histogram[static_cast<std::size_t>(bin)];
            const qreal height = count == 0 ? 0 : std::max<qreal>(1, box.height() * count / most);
            painter->fillRect(QRectF(box.left() + bin * step, box.bottom() - height, step - 1, height), theme.seq[3]);
        }
    }

private:
    TensorTable& m_table;
};

} // namespace

ModelView::ModelView(Workbench& bench, QWidget* parent) : QWidget(parent), m_bench(bench) {
    build();
    connect(&bench.selection, &RunSelection::currentChanged, this, &ModelView::showRun);
    connect(&bench.feed, &WorkspaceFeed::checkpointsChanged, this, [this](const QString& run) {
        if (run == m_run) showCheckpoints();
    });
    showRun();
}

void ModelView::build() {
    const Theme& theme = Theme::current();
    auto* layout = column(this, 12);
    setMargins(layout, 12, 12, 12, 12);
    const auto page = [](const QString& what, const QString& why) { return new EmptyPage(new EmptyState(what, why)); };
    m_empty = page(tr("No checkpoint yet"), tr("A run saves its first checkpoint at the end of its first epoch."));
    m_away = page(tr("Its checkpoints are on its host"),
                  tr("They appear here once the run has saved one and its host has reported it."));
    m_none = page(tr("No checkpoint yet"),
                  tr("What the program saves appears here once it is complete: .pt, .ckpt, .safetensors and "
                     "others, from its folder and from those that its arguments name."));
    m_checkpointCard = new Card(tr("Checkpoints"));
    m_export = new QToolButton;
    m_export->setText(tr("Export"));
    m_export->setIcon(icon(QStringLiteral("export")));
    m_export->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_export->setProperty("kind", "flat");
    m_samples = checkpointButton("show-samples", actionName(action("show-samples")));
    m_fetch = checkpointButton("fetch-checkpoint", tr("Fetch"));
    m_checkpointCard->addAction(m_fetch);
    m_checkpointCard->addAction(m_samples);
    m_checkpointCard->addAction(m_export);
    m_checkpointView = plainTable(&m_checkpoints, tr("Checkpoints"));
    m_checkpointView->setItemDelegateForColumn(CheckpointTable::Name, new CheckpointNameDelegate(m_checkpoints, *this));
    for (int section = 1; section < CheckpointTable::ColumnCount; ++section)
        m_checkpointView->setColumnWidth(section, theme.px(88));
    // The score's title is its metric.
    connect(&m_checkpoints, &QAbstractItemModel::modelReset, m_checkpointView, [this] {
        const int title = m_checkpointView->horizontalHeader()->sectionSizeHint(CheckpointTable::Score);
        m_checkpointView->setColumnWidth(CheckpointTable::Score, std::max(Theme::current().px(104), title));
    });
    keepFirstColumn(m_checkpointView, 128);
    m_checkpointCard->body()->setContentsMargins(1, 0, 1, 1);
    m_checkpointCard->body()->addWidget(m_checkpointView);

    m_tensorCard = new Card(tr("Parameters"));
    m_filter = new UnitEdit;
    m_filter->setLeadingIcon(QStringLiteral("search"));
    m_filter->setPlaceholderText(tr("Name"));
    m_filter->setAccessibleName(tr("Filter the parameters by name"));
    m_filter->setFixedWidth(theme.px(168));
    m_tensorCard->addAction(m_filter);
    m_tensorView = plainTable(&m_tensors, tr("Parameters"));
    m_tensorView->setItemDelegateForColumn(TensorTable::Name, new CellDelegate(true, this));
    m_tensorView->setItemDelegateForColumn(TensorTable::Distribution, new HistogramDelegate(m_tensors, this));
    const std::array<int, TensorTable::ColumnCount> widths{0, 92, 56, 84, 68, 96};
    for (int section = 1; section < TensorTable::ColumnCount; ++section)
        m_tensorView->setColumnWidth(section, theme.px(widths[static_cast<std::size_t>(section)]));
    keepFirstColumn(m_tensorView, 120);
    m_tensorCard->body()->setContentsMargins(1, 0, 1, 1);
    m_tensorCard->body()->addWidget(m_tensorView);
    layout->addWidget(m_empty);
    layout->addWidget(m_none);
    layout->addWidget(m_away);
    layout->addWidget(m_checkpointCard);
    layout->addWidget(m_tensorCard, 1);
    m_there = new QWidget;
    auto* there = column(m_there);
    there->addWidget(new EmptyState(tr("This checkpoint is on the run's host"),
                                    tr("Fetch it to see its parameters, or to export, try or fork it.")));
    there->addStretch();
    layout->addWidget(m_there, 1);
    layout->addStretch();
    connectParts();
}

void ModelView::connectParts() {
    connect(m_filter, &QLineEdit::textChanged, &m_tensors, &TensorTable::setFilter);
    connect(m_checkpointView->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                if (!m_isFilling) m_isChosen = index.row() > 0;
                choose(index.row());
            });
    const auto showMenu = [this](const QPoint& at) {
        const RunItemPtr run = m_bench.feed.run(m_run);
        const auto* checkpoint = m_checkpoints.at(m_checkpointView->currentIndex().row());
        if (run && checkpoint) showCheckpointMenu({m_bench, run, window(), *checkpoint}, at);
    };
    connect(m_export, &QToolButton::clicked, this,
            [this, showMenu] { showMenu(m_export->mapToGlobal(QPoint(0, m_export->height()))); });
    m_checkpointView->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_checkpointView, &QTableView::customContextMenuRequested, this,
            [this, showMenu](const QPoint& at) { showMenu(m_checkpointView->viewport()->mapToGlobal(at)); });
    auto* pin = new QShortcut(QKeySequence(Qt::Key_P), m_checkpointView, {}, {}, Qt::WidgetShortcut);
    connect(pin, &QShortcut::activated, this, [this] {
        const auto* checkpoint = m_checkpoints.at(m_checkpointView->currentIndex().row());
        const RunItemPtr run = m_bench.feed.run(m_run);
        if (!checkpoint || !run) return;
        const Action& each = action(checkpoint->pinned ? "unpin-checkpoint" : "pin-checkpoint");
        const ActionTarget target{m_bench, run, window(), *checkpoint};
        if (isOffered(each, target)) act(each, target);
    });
}

// A button that acts on the chosen checkpoint.
QPushButton* ModelView::checkpointButton(const char* id, const QString& text) {
    const Action& each = action(id);
    auto* made = button(text, QLatin1String(each.icon), "flat");
    made->setToolTip(actionTip(each));
    made->setObjectName(QLatin1String(id));
    connect(made, &QPushButton::clicked, this, [this, &each] {
        const RunItemPtr run = m_bench.feed.run(m_run);
        const auto* checkpoint = m_checkpoints.at(m_checkpointView->currentIndex().row());
        if (run && checkpoint) act(each, {m_bench, run, window(), *checkpoint});
    });
    return made;
}

bool ModelView::isOfHost() const {
    const RunItemPtr run = m_bench.feed.run(m_run);
    return run && !run->home.isHere();
}

bool ModelView::isOfProgram() const {
    const RunItemPtr run = m_bench.feed.run(m_run);
    return run && run->isProgram;
}

void ModelView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    choose(m_checkpointView->currentIndex().row());
}

void ModelView::showRun() {
    if (m_run != m_bench.selection.current()) m_isChosen = false;
    m_run = m_bench.selection.current();
    showCheckpoints();
}

void ModelView::showCheckpoints() {
    const RunItemPtr run = m_bench.feed.run(m_run);
    const auto& rows = m_bench.feed.checkpoints(m_run);
    const auto* chosen = m_checkpoints.at(m_checkpointView->currentIndex().row());
    // The first is followed while others come, unless a user has chosen another one.
    const std::string before = chosen && m_isChosen ? chosen->path : std::string();
    const QScopedValueRollback<bool> filling(m_isFilling, true);
    m_checkpoints.setRows(rows, run ? run->checkpointSeries : QString());
    const bool away = isOfHost();
    m_empty->setVisible(rows.empty() && !away && !(run && run->isProgram));
    m_none->setVisible(rows.empty() && !away && run && run->isProgram);
    m_away->setVisible(rows.empty() && away);
    m_checkpointCard->setVisible(!rows.empty());
    m_tensorCard->setVisible(!rows.empty());
    showPlace(run);
    double bytes = 0;
    int select = 0;
    for (int row = 0; row < m_checkpoints.rowCount(); ++row) {
        bytes += static_cast<double>(m_checkpoints.at(row)->bytes);
        if (m_checkpoints.at(row)->path == before) select = row;
    }
    const bool isProgram = run && run->isProgram;
    m_samples->setVisible(!isProgram);
    const auto hasLoss = [](const auto& row) { return row.metrics.contains("val/loss"); };
    const bool isWithoutLoss = isProgram && std::ranges::none_of(rows, hasLoss);
    leaveOutColumn(m_checkpointView, isWithoutLoss ? int{CheckpointTable::Loss} : -1);
    const QString kept = isProgram ? tr("the program’s own files, which stay where they are, %1").arg(bytesText(bytes))
                                   : tr("keeps best, newest and pinned, %1").arg(bytesText(bytes));
    m_checkpointCard->setNote(away ? tr("on %1, %2").arg(run->home.host, bytesText(bytes)) : kept);
    const Theme& theme = Theme::current();
    m_checkpointView->setFixedHeight(theme.px(28) * (std::min(m_checkpoints.rowCount(), 6) + 1) + theme.px(2));
    if (!rows.empty()) m_checkpointView->setCurrentIndex(m_checkpoints.index(select, 0));
}

void ModelView::choose(int row) {
    const auto* checkpoint = m_checkpoints.at(row);
    showPlace(m_bench.feed.run(m_run));
    if (checkpoint && isVisible()) loadTensors(*checkpoint);
}

// For a run that lives on a host: whether the chosen file is here, and a button to fetch it.
void ModelView::showPlace(const RunItemPtr& run) {
    const auto* checkpoint = m_checkpoints.at(m_checkpointView->currentIndex().row());
    const bool isThere = run && checkpoint && !run->home.hasFile(*checkpoint);
    m_fetch->setVisible(isThere);
    m_samples->setEnabled(!isThere);
    m_tensorCard->setVisible(checkpoint && !isThere);
    m_there->setVisible(isThere);
    if (isThere) m_loadedPath.clear();
}

void ModelView::loadTensors(const store::CheckpointRow& checkpoint) {
    // A program may save into the same file again.
    const QString path = QStringLiteral("%1\n%2").arg(QString::fromStdString(checkpoint.path)).arg(checkpoint.step);
    if (path == m_loadedPath || !m_tensorCard->isVisibleTo(this)) return;
    m_loadedPath = path;
    const RunItemPtr run = m_bench.feed.run(m_run);
    const bool isProgram = run && run->isProgram;
    m_tensorCard->setNote(tr("reading…"));
    inBackground(
        this,
        [file = checkpoint.path, isProgram] { return isProgram ? readProgramCheckpoint(file) : readCheckpoint(file); },
        [this, path, isProgram](Result<CheckpointContent> content) {
            if (path != m_loadedPath) return; // another checkpoint has been chosen meanwhile
            if (!content) {
                m_tensors.setContent({});
                m_tensorCard->setNote(QString::fromStdString(content.error().text()));
                return;
            }
            const QString told = isProgram ? tr("%1 tensors, %2 values") : tr("%1 tensors, %2 values; checksums match");
            m_tensorCard->setNote(
                told.arg(content->parameters.size()).arg(countText(static_cast<double>(content->values))));
            m_tensors.setContent(std::move(*content));
        });
}

} // namespace trainyard::ui
