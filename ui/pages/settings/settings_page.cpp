// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/settings/settings_page.h"

#include "ui/forms/fields/form_grid.h"
#include "ui/models/desktop/desktop_notice.h"
#include "ui/models/desktop/settings.h"
#include "ui/models/text/format.h"
#include "ui/models/text/language.h"
#include "ui/pages/page_table.h"
#include "ui/pages/settings/keys_card.h"
#include "ui/pages/shared/curves_toolbar.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/card.h"
#include "ui/widgets/inputs/segmented_control.h"
#include "ui/widgets/inputs/switch.h"

#include <QDesktopServices>
#include <QSlider>
#include <QUrl>

namespace trainyard::ui {

void applySavedLook() {
    ThemeController::instance().setMode(static_cast<ThemeMode>(Settings::themeMode.get()));
    ThemeController::instance().setHighContrast(Settings::highContrast.get());
}

SettingsPage::SettingsPage(Workbench& bench, QWidget* parent)
    : Surface(SurfaceColor::Window, NoEdge, parent), m_bench(bench) {
    const Theme& theme = Theme::current();
    auto* canvas = new QWidget;
    auto* outer = row(canvas);
    setMargins(outer, 24, 32, 24, 24);
    auto* columnWidget = new QWidget;
    columnWidget->setMaximumWidth(theme.px(640));
    auto* layout = column(columnWidget, 12);
    layout->addWidget(new Label(tr("Settings"), TextRole::Title));
    layout->addWidget(lookCard());
    layout->addWidget(curvesCard());
    layout->addWidget(placesCard());
    layout->addWidget(new KeysCard);
    layout->addStretch();
    outer->addStretch();
    outer->addWidget(columnWidget, 100);
    outer->addStretch();
    column(this)->addWidget(scrolled(canvas, tr("Settings")));
}

QWidget* SettingsPage::lookCard() {
    auto* card = new Card(tr("Look"));
    card->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    auto* grid = new FormGrid;
    auto* mode = new SegmentedControl({tr("System"), tr("Light"), tr("Dark")});
    mode->setAccessibleName(tr("Theme"));
    mode->setCurrentIndex(static_cast<int>(ThemeController::instance().mode()));
    auto* modeHolder = new QWidget;
    auto* modeLine = row(modeHolder);
    modeLine->addWidget(mode);
    modeLine->addStretch();
    auto* contrast = new Switch(tr("higher-contrast borders"));
    contrast->setAccessibleName(tr("More contrast"));
    contrast->setChecked(Settings::highContrast.get());
    grid->addRow(tr("Theme"), modeHolder);
    grid->addRow(tr("Contrast"), contrast);
    grid->addRow(tr("Language"), languageChoice());
    auto* notices = new Switch(tr("when a run ends while another window is in front"));
    notices->setAccessibleName(tr("Desktop notices"));
    notices->setChecked(desktopNoticesWanted());
    grid->addRow(tr("Notifications"), notices);
    connect(notices, &QAbstractButton::toggled, this, [](bool on) { setDesktopNoticesWanted(on); });
    setMargins(card->body(), 12, 0, 12, 12);
    card->body()->addWidget(grid);
    connect(mode, &SegmentedControl::currentIndexChanged, this, [](int index) {
        Settings::themeMode.set(index);
        ThemeController::instance().setMode(static_cast<ThemeMode>(index));
    });
    connect(&ThemeController::instance(), &ThemeController::changed, mode, // also changed by the palette
            [mode] { mode->setCurrentIndex(static_cast<int>(ThemeController::instance().mode())); });
    connect(contrast, &QAbstractButton::toggled, this, [](bool on) {
        Settings::highContrast.set(on);
        ThemeController::instance().setHighContrast(on);
    });
    return card;
}

QWidget* SettingsPage::languageChoice() {
    QStringList names{tr("System")}, codes{QString()};
    for (const Language& each : languages()) {
        names << QString::fromUtf8(each.name);
        codes << QLatin1String(each.code);
    }
    auto* choice = new SegmentedControl(names);
    choice->setAccessibleName(tr("Language"));
    const QString saved = Settings::language.get();
    choice->setCurrentIndex(std::max(0, static_cast<int>(codes.indexOf(saved))));
    auto* note = new Label(QString(), TextRole::SmallSecondary);
    connect(choice, &SegmentedControl::currentIndexChanged, this, [note, codes, saved](int index) {
        Settings::language.set(codes[index]);
        note->setText(codes[index] == saved ? QString() : tr("takes effect at the next start"));
    });
    auto* holder = new QWidget;
    auto* line = row(holder, 12);
    line->addWidget(choice);
    line->addWidget(note);
    line->addStretch();
    return holder;
}

QWidget* SettingsPage::curvesCard() {
    const Theme& theme = Theme::current();
    auto* card = new Card(tr("Curves"));
    card->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    auto* grid = new FormGrid;
    auto* holder = new QWidget;
    auto* line = row(holder, 12);
    auto* slider = new QSlider(Qt::Horizontal);
    slider->setRange(0, 1000);
    slider->setAccessibleName(tr("Smoothing"));
    slider->setMaximumWidth(theme.px(240));
    slider->setValue(sliderOfWeight(Settings::smoothing.get()));
    auto* value = new Label(QString(), TextRole::Small);
    showWeight(*slider, *value);
    connect(slider, &QSlider::valueChanged, this, [this, slider, value](int position) {
        showWeight(*slider, *value);
        Settings::smoothing.set(weightOfSlider(position));
        Q_EMIT m_bench.curveDefaultsChanged();
    });
    line->addWidget(slider, 1);
    line->addWidget(value);
    line->addStretch();
    grid->addRow(tr("Smoothing"), holder);
    setMargins(card->body(), 12, 0, 12, 12);
    card->body()->addWidget(grid);
    return card;
}

QWidget* SettingsPage::placesCard() {
    auto* card = new Card(tr("Locations"));
    card->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    const QString root = QString::fromStdString(m_bench.feed.workspace().root.string());
    auto* pairs = new PairList;
    pairs->setPairs({{tr("Workspace"), root, {}},
                     {tr("Runs and points"), QString::fromStdString(m_bench.feed.workspace().database().string()), {}},
                     {tr("Settings"), Settings::file(), {}},
                     {tr("Worker program"), QString::fromStdString(CatalogLoader::workerProgram().string()), {}}});
    auto* open = button(tr("Open the workspace's folder"), QStringLiteral("folder"));
    connect(open, &QPushButton::clicked, this, [root] { QDesktopServices::openUrl(QUrl::fromLocalFile(root)); });
    setMargins(card->body(), 12, 0, 12, 12);
    card->body()->setSpacing(Theme::current().px(8));
    card->body()->addWidget(pairs);
    auto* why = new Label(tr("Each workspace is a folder. To open another one, use trainyard --workspace DIR or the "
                             "menu at the workspace's name."),
                          TextRole::SmallSecondary);
    why->setWordWrap(true);
    card->body()->addWidget(why);
    card->body()->addWidget(open, 0, Qt::AlignLeft);
    return card;
}

Page settingsPage() {
    return {"settings", QT_TRANSLATE_NOOP("Page", "Settings"), "settings", makePage<SettingsPage>, true};
}

} // namespace trainyard::ui
