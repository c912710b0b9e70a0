// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/top_bar.h"

#include "ui/actions/key_bindings.h"
#include "ui/pages/page_table.h"
#include "ui/theme/icon.h"
#include "ui/theme/paint.h"

#include <QPainter>

namespace trainyard::ui {

CommandField::CommandField(QWidget* parent) : QAbstractButton(parent) {
    setAccessibleName(tr("Search runs, or type a command"));
    setToolTip(actionTip(action("palette")));
    setCursor(Qt::IBeamCursor);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMaximumWidth(Theme::current().px(400));
    setMinimumWidth(Theme::current().px(120));
    setAttribute(Qt::WA_Hover);
}

QSize CommandField::sizeHint() const { return {Theme::current().px(400), Theme::current().px(28)}; }

void CommandField::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::current();
    QPainter painter(this);
    paintFrame(painter, rect(), theme.px(4), underMouse() ? theme.card : theme.panel, theme.border);
    const int pad = theme.px(8);
    const int side = theme.px(16);
    paintIcon(painter, QStringLiteral("search"), QRectF(pad, (height() - side) / 2, side, side), theme.text2);
    const QString keys = actionKeys(action("palette"));
    painter.setFont(theme.small);
    const int keysWidth = painter.fontMetrics().horizontalAdvance(keys) + theme.px(8);
    const QRectF cap(width() - keysWidth - pad, (height() - theme.px(18)) / 2, keysWidth, theme.px(18));
    paintFrame(painter, cap, theme.px(3), theme.panel, theme.border);
    painter.setPen(theme.text3);
    painter.drawText(cap, Qt::AlignCenter, keys);
    painter.setFont(theme.body);
    painter.setPen(theme.text3);
    const QRectF text(pad + side + theme.px(6), 0, cap.left() - pad - side - theme.px(14), height());
    painter.drawText(text, Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(tr("Search runs, or type a command"), Qt::ElideRight,
                                                      static_cast<int>(text.width())));
}

namespace {

QToolButton* flatButton(const QString& text, Qt::ToolButtonStyle style) {
    auto* made = new QToolButton;
    made->setText(text);
    made->setToolButtonStyle(style);
    made->setProperty("kind", "flat");
    made->setAutoRaise(true);
    return made;
}

} // namespace

TopBar::TopBar(Workbench& bench, QWidget* parent) : Surface(SurfaceColor::Window, BottomEdge, parent), m_bench(bench) {
    setFixedHeight(Theme::current().px(44));
    auto* layout = row(this, 12);
    setMargins(layout, 12, 0, 12, 1);
    m_command = new CommandField;
    // Equal stretches on both sides keep the command field near the middle, however long the names are.
    layout->addLayout(buildLeft(), 1);
    layout->addWidget(m_command, 1);
    layout->addLayout(buildRight(), 1);
    connect(&bench.feed, &WorkspaceFeed::runsChanged, this, &TopBar::showCounts);
    connect(&bench.catalog, &CatalogLoader::loaded, this, &TopBar::showCounts);
    showCounts();
}

// The workspace.
QHBoxLayout* TopBar::buildLeft() {
    const Theme& theme = Theme::current();
    const auto& root = m_bench.feed.workspace().root;
    m_workspace = flatButton(QString::fromStdString(root.filename().string()), Qt::ToolButtonTextOnly);
    m_workspace->setFont(theme.heading);
    m_workspace->setAccessibleName(tr("Workspace %1").arg(m_workspace->text()));
    m_workspace->setToolTip(QString::fromStdString(root.string()));
    connect(m_workspace, &QToolButton::clicked, this,
            [this] { Q_EMIT workspaceMenuRequested(m_workspace->mapToGlobal(QPoint(0, m_workspace->height() + 2))); });
    m_count = new Label(QString(), TextRole::SmallSecondary);
    auto* left = row(nullptr, 12);
    left->setSpacing(theme.px(2));
    left->addWidget(m_workspace);
    auto* chevron = iconButton(QStringLiteral("chevron-down"), tr("Workspaces"));
    chevron->setFixedWidth(theme.px(20));
    connect(chevron, &QToolButton::clicked, m_workspace, &QToolButton::click);
    left->addWidget(chevron);
    left->addSpacing(theme.px(8));
    left->addWidget(m_count);
    left->addStretch();
    return left;
}

// The cluster, and the button for a new run.
QHBoxLayout* TopBar::buildRight() {
    m_host = flatButton(tr("This computer"), Qt::ToolButtonTextBesideIcon);
    m_host->setIcon(icon(QStringLiteral("computer")));
    m_host->setToolTip(tr("Where runs can train: the Cluster page  %1").arg(pageKeys(pageIndex(PageId::cluster))));
    connect(m_host, &QToolButton::clicked, this, [this] { Q_EMIT m_bench.pageRequested(PageId::cluster); });
    m_hostNote = new Label(QString(), TextRole::SmallSecondary);
    auto* newRun = button(actionName(action("new-run")), QLatin1String(action("new-run").icon), "primary");
    const auto showTips = [this, newRun] {
        newRun->setToolTip(actionTip(action("new-run")));
        m_command->setToolTip(actionTip(action("palette")));
        m_command->update(); // it paints its keys
    };
    showTips();
    connect(&KeyBindings::instance(), &KeyBindings::changed, newRun, showTips);
    connect(newRun, &QPushButton::clicked, this, [this] { Q_EMIT m_bench.newRunRequested({}, false); });
    auto* right = row(nullptr, 8);
    right->addStretch();
    right->addWidget(m_host);
    right->addWidget(m_hostNote);
    right->addSpacing(Theme::current().px(12));
    right->addWidget(newRun);
    return right;
}

void TopBar::showCounts() {
    const auto runs = static_cast<int>(m_bench.feed.runs().size());
    m_count->setText(runs > 0 ? tr("%Ln runs", nullptr, runs) : QString());
    QString devices = tr("%n cores", nullptr, SystemStats::cores());
    if (const auto catalog = m_bench.catalog.catalog()) {
        const auto gpus = std::count_if(catalog->devices.begin(), catalog->devices.end(),
                                        [](const auto& device) { return device.name.rfind("cuda", 0) == 0; });
        if (gpus > 0) devices = tr("%n GPUs", nullptr, static_cast<int>(gpus));
    }
    m_hostNote->setText(devices);
}

} // namespace trainyard::ui
