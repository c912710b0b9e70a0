// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/serve/serve_page.h"

#include "ui/pages/page_table.h"
#include "ui/pages/serve/service_board.h"
#include "ui/pages/serve/service_delegate.h"
#include "ui/widgets/empty_state.h"

#include <QListView>
#include <QSplitter>
#include <QStackedLayout>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr int kServicesWidth = 300, kLeastServices = 240; // design pixels

} // namespace

ServePage::ServePage(Workbench& bench, QWidget* parent)
    : Surface(SurfaceColor::Window, NoEdge, parent), m_bench(bench), m_watch(&bench.services),
      m_services(bench.services), m_stack(new QStackedLayout(this)), m_board(new ServiceBoard(bench)) {
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(buildList());
    splitter->addWidget(m_board);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({Theme::current().px(kServicesWidth), Theme::current().px(1000)});
    m_stack->addWidget(buildEmpty());
    m_stack->addWidget(splitter);
    connect(&bench.services, &ServiceWatch::changed, this, &ServePage::refresh);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &ServePage::choose);
    refresh();
}

QWidget* ServePage::buildEmpty() {
    auto* empty = new EmptyState(
        tr("Nothing is served yet"),
        tr("A service answers requests with a checkpoint: from a phone, a notebook or a script, over HTTP. Choose "
           "“Serve…” beside any checkpoint, or begin here. It stays on this computer, behind a token, until you say "
           "otherwise."),
        tr("Serve a checkpoint…"), QStringLiteral("live"));
    connect(empty, &EmptyState::triggered, this, [this] { Q_EMIT m_bench.serveRequested({}, {}, -1, {}); });
    return new EmptyPage(empty);
}

QWidget* ServePage::buildList() {
    const Theme& theme = Theme::current();
    auto* pane = new Surface(SurfaceColor::Panel, RightEdge);
    pane->setMinimumWidth(theme.px(kLeastServices));
    auto* layout = column(pane);
    auto* header = new Surface(SurfaceColor::Panel, BottomEdge);
    header->setFixedHeight(theme.px(48));
    auto* line = row(header, 8);
    setMargins(line, 16, 0, 12, 1);
    m_count = new Label(QString(), TextRole::SmallSecondary);
    auto* more = button(tr("Serve…"), QStringLiteral("plus"));
    more->setToolTip(tr("Serve another checkpoint"));
    connect(more, &QPushButton::clicked, this, [this] { Q_EMIT m_bench.serveRequested({}, {}, -1, {}); });
    line->addWidget(new Label(tr("Services"), TextRole::Title));
    line->addWidget(m_count, 1);
    line->addWidget(more);
    m_view = new QListView;
    m_view->setModel(&m_services);
    m_view->setItemDelegate(new ServiceDelegate(m_view));
    m_view->setAccessibleName(tr("Services"));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setMouseTracking(true);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->viewport()->setAutoFillBackground(false);
    setFocusProxy(m_view);
    layout->addWidget(header);
    layout->addWidget(m_view, 1);
    return pane;
}

void ServePage::showEvent(QShowEvent* event) {
    Surface::showEvent(event);
    m_bench.services.setWatched(true);
}

void ServePage::hideEvent(QHideEvent* event) {
    Surface::hideEvent(event);
    if (m_watch) m_watch->setWatched(false);
}

void ServePage::show(const QString& service) {
    m_wanted = service;
    m_bench.services.refresh();
    refresh();
}

// The one that was asked for, else the one that was shown, else the first.
void ServePage::refresh() {
    const int count = m_services.rowCount();
    m_stack->setCurrentIndex(count > 0 ? 1 : 0);
    if (count == 0) return;
    const auto& all = m_bench.services.services();
    m_count->setText(
        tr("%n running", nullptr,
           static_cast<int>(std::count_if(all.begin(), all.end(), [](const auto& each) { return each.isServed; }))));
    int row = m_services.rowOf(m_wanted);
    if (row >= 0) m_wanted.clear();
    else row = std::max(0, m_services.rowOf(m_board->service()));
    if (m_view->currentIndex().row() != row) m_view->setCurrentIndex(m_services.index(row));
    choose();
}

void ServePage::choose() {
    const QModelIndex current = m_view->currentIndex();
    if (!current.isValid()) return;
    m_board->setService(current.data().toString());
}

Page servePage() { return {"serve", QT_TRANSLATE_NOOP("Page", "Serve"), "live", makePage<ServePage>}; }

} // namespace trainyard::ui
