// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/home/home_page.h"

#include "engine/run/start/first_run.h"
#include "ui/actions/key_bindings.h"
#include "ui/models/text/engine_text.h"
#include "ui/models/text/format.h"
#include "ui/models/text/free_name.h"
#include "ui/pages/home/home_tile.h"
#include "ui/pages/home/recent_runs.h"
#include "ui/pages/page_table.h"
#include "ui/widgets/marks/status_chip.h"

#include <QDir>
#include <QGridLayout>
#include <QKeyEvent>

namespace trainyard::ui {

namespace {

QWidget* keyHint(KeyCap* keys, const QString& words) {
    auto* hint = new QWidget;
    auto* layout = row(hint, 6);
    layout->addWidget(keys);
    layout->addWidget(new Label(words, TextRole::SmallTertiary));
    return hint;
}

// The keys of an action, whatever they are changed to.
KeyCap* keysOf(const char* id) {
    auto* cap = new KeyCap(actionKeys(action(id)));
    QObject::connect(&KeyBindings::instance(), &KeyBindings::changed, cap,
                     [cap, id] { cap->setKeys(actionKeys(action(id))); });
    return cap;
}
void followKeys(HomeTile* tile, const char* id) {
    tile->setKeys(actionKeys(action(id)));
    QObject::connect(&KeyBindings::instance(), &KeyBindings::changed, tile,
                     [tile, id] { tile->setKeys(actionKeys(action(id))); });
}

QString homely(const QString& path) {
    const QString home = QDir::homePath();
    return path.startsWith(home + QLatin1Char('/')) ? QLatin1Char('~') + path.mid(home.size()) : path;
}

constexpr int kColumn = 1200, kTilesInARow = 1080; // design pixels: widths of the column, and of four tiles
constexpr int kRecentPause = 200;                  // ms: a sweep may have thousands of trials to search

} // namespace

HomePage::HomePage(Workbench& bench, const QString& pageKeys, QWidget* parent)
    : Surface(SurfaceColor::Window, NoEdge, parent), m_bench(bench), m_pageKeys(pageKeys) {
    build();
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Home"));
    connect(&bench.catalog, &CatalogLoader::loaded, this, &HomePage::showCatalog);
    connect(&bench.catalog, &CatalogLoader::failed, this, &HomePage::showCatalog);
    connect(&bench.feed, &WorkspaceFeed::runsChanged, this, &HomePage::showRecentSoon);
    connect(&bench.feed, &WorkspaceFeed::sweepsChanged, this, &HomePage::showRecentSoon);
    m_recentLater.setSingleShot(true);
    m_recentLater.setInterval(kRecentPause);
    connect(&m_recentLater, &QTimer::timeout, this, &HomePage::showRecent);
    connect(&m_preview, &PreviewProcess::arrived, this, [this](const Preview& preview) {
        QList<QImage> spread; // one of each class first: the tile has room for about 16
        for (qsizetype i = 0; i < preview.thumbnails.size(); ++i)
            spread << preview.thumbnails[(i * 7) % preview.thumbnails.size()];
        if (!spread.isEmpty()) m_first->setIllustration(thumbnailIllustration(spread));
    });
    connect(&bench.actions, &RunActions::runStarted, this, [this] { m_starting = false; });
    connect(&bench.actions, &RunActions::failed, this, [this] { m_starting = false; });
    showCatalog();
    if (bench.feed.loaded()) showRecentSoon(); // the list of runs arrived before this page was made
}

void HomePage::build() {
    const Theme& theme = Theme::current();
    m_column = new QWidget;
    m_layout = column(m_column);
    m_title = new Label(tr("Train your first model"), TextRole::Title);
    m_intro = new Label(QString(), TextRole::Secondary);
    m_intro->setWordWrap(true);
    m_layout->addWidget(m_title);
    m_layout->addSpacing(theme.px(4));
    m_layout->addWidget(m_intro);
    m_layout->addSpacing(theme.px(24));
    buildTiles();
    auto* recentTitle = row();
    recentTitle->addWidget(new Label(tr("Recent runs and sweeps"), TextRole::Heading));
    recentTitle->addStretch();
    recentTitle->addWidget(
        new Label(tr("Workspace %1").arg(homely(QString::fromStdString(m_bench.feed.workspace().root.string()))),
                  TextRole::SmallTertiary));
    m_recent = new RecentRuns(m_bench);
    m_layout->addSpacing(theme.px(36));
    m_layout->addLayout(recentTitle);
    m_layout->addSpacing(theme.px(10));
    m_layout->addWidget(m_recent);
    m_layout->addSpacing(theme.px(20));
    auto* hints = row(nullptr, 24);
    hints->addWidget(keyHint(keysOf("palette"), tr("command palette")));
    hints->addWidget(keyHint(keysOf("new-run"), tr("new run")));
    hints->addWidget(keyHint(new KeyCap(m_pageKeys), tr("pages")));
#ifdef TRAINYARD_REMOTE
    hints->addWidget(keyHint(keysOf("add-host"), tr("add a host")));
#endif
    hints->addWidget(keyHint(keysOf("shortcuts"), tr("shortcuts")));
    hints->addStretch();
    m_layout->addLayout(hints);
    m_layout->addStretch();

    auto* canvas = new QWidget;
    auto* outer = row(canvas);
    outer->addStretch();
    outer->addWidget(m_column, 100);
    outer->addStretch();
    m_column->setMaximumWidth(theme.px(kColumn));
    setMargins(outer, 24, 0, 24, 24);
    column(this)->addWidget(scrolled(canvas, tr("Home")));
}

void HomePage::buildTiles() {
    m_tiles = new QGridLayout;
    m_tiles->setSpacing(Theme::current().px(16));
    m_first =
        new HomeTile(tr("Train on Fashion-MNIST"), tr("Start training"), QStringLiteral("play"), tr("Enter"), true);
    m_first->setIllustration(thumbnailIllustration({}));
    connect(m_first->button(), &QPushButton::clicked, this, &HomePage::startFirstRun);
    m_script =
        new HomeTile(tr("Run your own script"), tr("Choose a script"), QStringLiteral("terminal"), QString(), false);
    followKeys(m_script, "open-script");
    m_script->setText(
        tr("A train.py of yours as it is, with live curves and restarts. You can also drop it on the window."));
    m_script->setIllustration(scriptIllustration());
    connect(m_script->button(), &QPushButton::clicked, &m_bench, &Workbench::scriptRequested);
    m_images =
        new HomeTile(tr("Open a folder of images"), tr("Choose a folder"), QStringLiteral("folder"), QString(), false);
    followKeys(m_images, "open-images");
    m_images->setText(tr(
        "Your own images, one folder per class or with a file of labels. You can also drop the folder on the window."));
    m_images->setIllustration(folderIllustration());
    connect(m_images->button(), &QPushButton::clicked, &m_bench, &Workbench::imagesRequested);
    m_sweep =
        new HomeTile(tr("Sweep the learning rate"), tr("Set up a sweep"), QStringLiteral("sweeps"), QString(), false);
    followKeys(m_sweep, "new-sweep");
    m_sweep->setText(
        tr("Train the same model with several learning rates, and see which one wins. You choose the range first."));
    m_sweep->setIllustration(sweepIllustration());
    connect(m_sweep->button(), &QPushButton::clicked, this, [this] { Q_EMIT m_bench.newRunRequested({}, true); });
    m_layout->addLayout(m_tiles);
    placeTiles();
}

// All in one row where there is room, else two in a row.
void HomePage::placeTiles() {
    const int columns = width() >= Theme::current().px(kTilesInARow) ? 4 : 2;
    if (columns == std::exchange(m_tileColumns, columns)) return;
    const QList<HomeTile*> tiles{m_first, m_script, m_images, m_sweep};
    for (int i = 0; i < 4; ++i) m_tiles->setColumnStretch(i, i < columns ? 1 : 0);
    for (int i = 0; i < static_cast<int>(tiles.size()); ++i) m_tiles->addWidget(tiles[i], i / columns, i % columns);
}

void HomePage::showCatalog() {
    const auto catalog = m_bench.catalog.catalog();
    const int cores = SystemStats::cores();
    if (!catalog) {
        const QString error = m_bench.catalog.error();
        m_intro->setText(error.isEmpty() ? tr("Nothing to set up. Looking for datasets and devices…") : error);
        m_first->button()->setEnabled(error.isEmpty());
        m_first->button()->setToolTip(error);
        m_first->setText(
            error.isEmpty()
                ? tr("A small network, 2 workers on this computer. The first point appears in about 2 seconds.")
                : tr("Training needs trainyard-worker beside this program."));
        return;
    }
    const spec::RunSpec spec = run::firstRun(*catalog, cores);
    const auto* entry = spec::Catalog::find(catalog->datasets, spec.dataset.name);
    const QString title = engineText(entry ? entry->title : spec.dataset.name);
    const auto samples = entry ? entry->facts.find("samples") : std::map<std::string, std::string>::const_iterator{};
    const QString count = entry && samples != entry->facts.end() ? QString::fromStdString(samples->second) : QString();
    const bool generated = spec.dataset.name != "fashion-mnist";
    m_first->button()->setEnabled(true);
    m_first->button()->setToolTip({});
    m_first->setTitle(tr("Train on %1").arg(title));
    m_first->setText(
        generated
            ? tr("Fashion-MNIST is not installed here, so this run uses a generated dataset. %n workers; the first "
                 "point appears in about 2 seconds.",
                 nullptr, spec.scaling.workers)
            : tr("A small network on %1 images of clothes, %n workers. The first point appears in about 2 seconds.",
                 nullptr, spec.scaling.workers)
                  .arg(count.isEmpty() ? tr("60,000") : countText(count.toDouble())));
    QStringList gpus;
    for (const auto& device : catalog->devices)
        if (device.name.rfind("cuda", 0) == 0) gpus << QString::fromStdString(device.title);
    const QString devices =
        gpus.isEmpty() ? tr("%n cores", nullptr, cores)
                       : tr("%n cores", nullptr, cores) + tr(" and %n GPUs", nullptr, static_cast<int>(gpus.size()));
    m_intro->setText(generated
                         ? tr("Nothing to set up. This computer has %1.").arg(devices)
                         : tr("Nothing to set up. %1 is installed, and this computer has %2.").arg(title, devices));
    m_preview.ask(QString::fromStdString(spec::toJson(spec)));
}

// At once the first time, later at most once per kRecentPause and only while visible.
void HomePage::showRecentSoon() {
    if (!std::exchange(m_recentShown, true)) return showRecent();
    if (isVisible() && !m_recentLater.isActive()) m_recentLater.start();
}

void HomePage::showEvent(QShowEvent* event) {
    Surface::showEvent(event);
    if (m_recentShown) showRecent();
}

void HomePage::showRecent() {
    m_recent->refresh();
    m_title->setText(m_bench.feed.runs().empty() ? tr("Train your first model") : tr("Train a model"));
}

void HomePage::startFirstRun() {
    if (m_starting) return;
    const auto catalog = m_bench.catalog.catalog();
    if (!catalog) {
        // The catalog takes some 0.4 s at the first start: begin when it arrives.
        connect(&m_bench.catalog, &CatalogLoader::loaded, this, &HomePage::startFirstRun, Qt::SingleShotConnection);
        m_bench.catalog.load();
        return;
    }
    m_starting = true;
    spec::RunSpec spec = run::firstRun(*catalog, SystemStats::cores());
    QStringList taken;
    for (const RunItemPtr& each : m_bench.feed.runs()) taken << each->name;
    spec.name = freeName(QString::fromStdString(spec.name), taken).toStdString();
    m_bench.actions.start(spec);
}

void HomePage::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) startFirstRun();
    else Surface::keyPressEvent(event);
}

void HomePage::resizeEvent(QResizeEvent* event) {
    Surface::resizeEvent(event);
    placeTiles();
    const Theme& theme = Theme::current();
    // The column starts 84 px down where there is room, and closer to the top where there is not.
    const int spare = height() - theme.px(700);
    m_layout->setContentsMargins(0, std::clamp(spare / 2 + theme.px(24), theme.px(24), theme.px(84)), 0, 0);
}

Page homePage() {
    return {"home", QT_TRANSLATE_NOOP("Page", "Home"), "home", [](Workbench& bench) -> QWidget* {
                return new HomePage(bench, HomePage::tr("Ctrl %1").arg(pageDigits()));
            }};
}

} // namespace trainyard::ui
