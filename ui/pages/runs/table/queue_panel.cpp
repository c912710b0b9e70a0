// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/table/queue_panel.h"

#include "ui/actions/action.h"
#include "ui/pages/runs/table/queue_delegate.h"
#include "ui/theme/icon.h"

#include <QKeyEvent>
#include <QListView>
#include <QMenu>
#include <QSpinBox>

namespace trainyard::ui {

namespace {

constexpr int kMostEntries = 4; // visible at once; scrolling shows the others
constexpr int kQueueSlotsPause = 400;

} // namespace

QueuePanel::QueuePanel(Workbench& bench, QWidget* parent)
    : Surface(SurfaceColor::Panel, TopEdge, parent), m_bench(bench), m_model(new QueueModel(this)) {
    auto* layout = column(this);
    setMargins(layout, 0, 1, 0, 0);
    m_view = new QListView;
    m_view->setModel(m_model);
    m_view->setItemDelegate(new QueueDelegate(m_view));
    m_view->setAccessibleName(tr("Queue"));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setMouseTracking(true);
    m_view->setUniformItemSizes(true);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->viewport()->setAutoFillBackground(false);
    m_view->installEventFilter(this);
    layout->addWidget(buildTop());
    layout->addWidget(m_view);
    m_bottom = buildBottom();
    layout->addWidget(m_bottom);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &QueuePanel::showCurrent);
    connect(m_model, &QAbstractItemModel::rowsMoved, this, &QueuePanel::showCurrent);
    connect(m_model, &QAbstractItemModel::dataChanged, this, &QueuePanel::showCurrent);
    connect(m_view, &QListView::customContextMenuRequested, this, [this](const QPoint& position) {
        if (!m_view->indexAt(position).isValid()) return;
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        fillMenu(*menu);
        menu->popup(m_view->viewport()->mapToGlobal(position));
    });
    connect(&bench.feed, &WorkspaceFeed::queueChanged, this, &QueuePanel::refresh);
    refresh();
}

QWidget* QueuePanel::buildTop() {
    auto* top = new QWidget;
    top->setFixedHeight(Theme::current().px(40));
    auto* line = row(top, 8);
    setMargins(line, 12, 0, 8, 0);
    line->addWidget(new Label(tr("Queue"), TextRole::Heading));
    m_note = new NumberLabel(TextRole::SmallSecondary); // elided where the panel is narrow
    m_note->setAlignment(Qt::AlignLeft);
    line->addWidget(m_note, 1);
    buildSlots();
    line->addWidget(m_slots);
    m_pause = iconButton(QStringLiteral("pause"), actionName(action("pause-queue")));
    m_pause->setObjectName(QStringLiteral("pause-queue"));
    connect(m_pause, &QToolButton::clicked, this, [this] { act(action("pause-queue"), {m_bench, nullptr, this}); });
    line->addWidget(m_pause);
    return top;
}

void QueuePanel::buildSlots() {
    m_slots = new QSpinBox;
    m_slots->setRange(1, store::kMaxQueueSlots);
    const auto say = [this](int count) { m_slots->setSuffix(count == 1 ? tr(" slot") : tr(" slots")); };
    say(m_slots->value());
    connect(m_slots, &QSpinBox::valueChanged, this, say);
    m_slots->setAccessibleName(tr("Slots of the queue"));
    m_slots->setToolTip(tr("The queue starts a run while fewer runs and sweeps than this are active"));
    m_slots->setFixedWidth(Theme::current().px(88));
    m_slotsLater.setSingleShot(true);
    m_slotsLater.setInterval(kQueueSlotsPause);
    connect(m_slots, &QSpinBox::valueChanged, &m_slotsLater, qOverload<>(&QTimer::start));
    connect(&m_slotsLater, &QTimer::timeout, this, [this] { m_bench.queue.setSlots(m_slots->value()); });
}

QWidget* QueuePanel::buildBottom() {
    auto* bottom = new QWidget;
    bottom->setFixedHeight(Theme::current().px(40));
    auto* line = row(bottom, 4);
    setMargins(line, 12, 0, 8, 0);
    m_start = button(tr("Start now"), QStringLiteral("play"));
    m_up = iconButton(QStringLiteral("chevron-up"), tr("Move up"), QStringLiteral("Alt+Up"));
    m_down = iconButton(QStringLiteral("chevron-down"), tr("Move down"), QStringLiteral("Alt+Down"));
    m_remove = iconButton(QStringLiteral("close"), tr("Remove from the queue"), QStringLiteral("Del"));
    line->addWidget(m_start);
    line->addStretch();
    for (auto* each : {m_up, m_down, m_remove}) line->addWidget(each);
    connect(m_start, &QPushButton::clicked, this, &QueuePanel::startCurrent);
    connect(m_up, &QToolButton::clicked, this, [this] { moveCurrent(-1); });
    connect(m_down, &QToolButton::clicked, this, [this] { moveCurrent(1); });
    connect(m_remove, &QToolButton::clicked, this, &QueuePanel::removeCurrent);
    return bottom;
}

void QueuePanel::refresh() {
    const auto& queue = m_bench.feed.queue();
    m_model->setQueue(queue);
    const int rows = m_model->rowCount();
    setVisible(rows > 0 || queue.settings.paused);
    m_view->setVisible(rows > 0);
    m_bottom->setVisible(rows > 0);
    m_view->setFixedHeight(std::min(rows, kMostEntries) * m_view->sizeHintForRow(0));
    if (rows > 0 && !m_view->currentIndex().isValid()) m_view->setCurrentIndex(m_model->index(0));
    showPaused(queue.settings.paused);
    showCurrent();
    if (m_slotsLater.isActive() || m_slots->hasFocus()) return; // it is being changed
    m_slots->setValue(queue.settings.slots);
    m_slotsLater.stop(); // not a user's change
}

void QueuePanel::showPaused(bool paused) {
    const int waiting = m_model->waiting();
    m_note->setText(paused ? tr("paused, %1 waiting").arg(waiting) : tr("%1 waiting").arg(waiting));
    m_note->setToolTip(m_note->text());
    m_pause->setIcon(icon(paused ? QStringLiteral("play") : QStringLiteral("pause")));
    const QString what = paused ? tr("Resume the queue") : tr("Pause the queue: start nothing new");
    m_pause->setToolTip(what);
    m_pause->setAccessibleName(what);
}

bool QueuePanel::canMove(int by) const {
    const QModelIndex current = m_view->currentIndex();
    const int to = current.row() + by;
    return current.isValid() && current.row() < m_model->waiting() && to >= 0 && to < m_model->waiting();
}

void QueuePanel::showCurrent() {
    const QModelIndex current = m_view->currentIndex();
    const bool refused = current.data(QueueModel::RefusedRole).toBool();
    m_start->setEnabled(current.isValid());
    m_start->setText(refused ? tr("Try again") : tr("Start now"));
    m_start->setIcon(icon(refused ? QStringLiteral("refresh") : QStringLiteral("play")));
    m_start->setToolTip(refused ? tr("Put it back in the queue, at its place")
                                : tr("Start it without waiting any longer"));
    m_up->setEnabled(canMove(-1));
    m_down->setEnabled(canMove(1));
    m_remove->setEnabled(current.isValid());
}

void QueuePanel::fillMenu(QMenu& menu) {
    const auto add = [&](const QIcon& mark, const QString& text, const char* keys, bool enabled, auto act) {
        auto* entry = menu.addAction(mark, *keys == '\0' ? text : text + QLatin1Char('\t') + QLatin1String(keys));
        entry->setEnabled(enabled);
        connect(entry, &QAction::triggered, this, act);
    };
    add(m_start->icon(), m_start->text(), "", m_start->isEnabled(), [this] { startCurrent(); });
    menu.addSeparator();
    add(m_up->icon(), tr("Move up"), "Alt+Up", m_up->isEnabled(), [this] { moveCurrent(-1); });
    add(m_down->icon(), tr("Move down"), "Alt+Down", m_down->isEnabled(), [this] { moveCurrent(1); });
    menu.addSeparator();
    add(m_remove->icon(), tr("Remove from the queue"), "Del", m_remove->isEnabled(), [this] { removeCurrent(); });
}

void QueuePanel::startCurrent() {
    const auto* entry = m_model->entry(m_view->currentIndex());
    if (!entry) return;
    if (entry->state == store::QueueState::Refused) m_bench.queue.retry(entry->id);
    else m_bench.queue.start(*entry);
}

void QueuePanel::moveCurrent(int by) {
    if (!canMove(by)) return;
    const int from = m_view->currentIndex().row();
    const auto entry = m_model->entry(m_view->currentIndex())->id;
    m_model->move(from, from + by); // at once, so that the next key starts from there
    m_view->scrollTo(m_view->currentIndex());
    m_bench.queue.move(entry, from + by + 1);
}

void QueuePanel::removeCurrent() {
    if (const auto* entry = m_model->entry(m_view->currentIndex())) m_bench.queue.remove(entry->id);
}

bool QueuePanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_view || event->type() != QEvent::KeyPress) return Surface::eventFilter(watched, event);
    const auto keys = static_cast<QKeyEvent*>(event)->keyCombination();
    if (keys == QKeyCombination(Qt::AltModifier, Qt::Key_Up)) moveCurrent(-1);
    else if (keys == QKeyCombination(Qt::AltModifier, Qt::Key_Down)) moveCurrent(1);
    else if (keys == QKeyCombination(Qt::Key_Delete)) removeCurrent();
    else return false;
    return true;
}

} // namespace trainyard::ui
