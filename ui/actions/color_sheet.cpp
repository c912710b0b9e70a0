// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/color_sheet.h"

#include "engine/store/run_color.h"
#include "ui/models/desktop/settings.h"
#include "ui/models/runs/run_column.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/sheets/ask_sheet.h"

#include <QColorDialog>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr int kPaletteColumns = 10;

bool isSameFor(const std::vector<RunItemPtr>& runs) {
    return std::all_of(runs.begin(), runs.end(),
                       [&](const RunItemPtr& run) { return run->color == runs.front()->color; });
}

} // namespace

ColorSheet::ColorSheet(Workbench& bench, const std::vector<RunItemPtr>& runs, QWidget* parent)
    : Sheet(coveredBy(parent), QSize(420, 480)), m_bench(bench), m_runs(runs) {
    setFitsContent();
    panel()->setAccessibleName(tr("Colour"));
    auto* content = new QWidget;
    auto* all = column(content);
    auto* rows = column(nullptr, 8);
    setMargins(rows, 20, 16, 20, 16);
    rows->addWidget(new Label(tr("Colour"), TextRole::Title));
    auto* about = new Label(words(), TextRole::Secondary);
    about->setWordWrap(true);
    rows->addWidget(about);
    buildPalette();
    rows->addWidget(m_palette);
    rows->addWidget(buildLine());
    if (auto* bySetting = buildBySetting()) rows->addWidget(bySetting);
    m_fault = new Label(QString(), TextRole::SmallError);
    m_fault->setMinimumHeight(m_fault->fontMetrics().height());
    rows->addWidget(m_fault);
    all->addLayout(rows);
    all->addWidget(buildFooter());
    body()->addWidget(content);
    setFirst(m_palette);
    judge(m_line->text());
    connect(this, &Sheet::closed, this, &QObject::deleteLater);
}

QString ColorSheet::words() const {
    if (m_runs.size() > 1) return tr("The colour of %n runs in all lists and charts", nullptr, int(m_runs.size()));
    return tr("The colour of %1 in all lists and charts").arg(m_runs.front()->name);
}

void ColorSheet::buildPalette() {
    const Theme& theme = Theme::current();
    m_palette = new ColorGrid(cells(), kPaletteColumns);
    int chosen = -1;
    for (int cell = 0; cell < store::kPaletteColors; ++cell)
        if (isSameFor(m_runs) && theme.curve(m_runs.front()->color) == theme.curve(cell)) chosen = cell;
    m_palette->setChosen(chosen);
    connect(m_palette, &ColorGrid::picked, this, [this](int cell) { choose(QString::number(cell + 1)); });
    connect(&ThemeController::instance(), &ThemeController::changed, this, [this] { m_palette->setCells(cells()); });
}

// A dot marks another run's colour, which may still be chosen.
QList<ColorGrid::Cell> ColorSheet::cells() const {
    const Theme& theme = Theme::current();
    QHash<QRgb, QString> others;
    for (const RunItemPtr& run : m_bench.feed.runs())
        if (std::none_of(m_runs.begin(), m_runs.end(), [&](const auto& each) { return each->id == run->id; }))
            others.insert(theme.curve(run->color).rgb(), run->name);
    QList<ColorGrid::Cell> all;
    for (int place = 1; place <= store::kPaletteColors; ++place) {
        const QColor color = theme.curve(place - 1);
        const QString other = others.value(color.rgb());
        all << ColorGrid::Cell{color,
                               other.isEmpty() ? tr("Colour %1").arg(place)
                                               : tr("Colour %1, also used by %2").arg(place).arg(other),
                               !other.isEmpty()};
    }
    return all;
}

QWidget* ColorSheet::buildLine() {
    auto* part = new QWidget;
    auto* line = row(part, 8);
    m_line = new QLineEdit;
    m_line->setAccessibleName(tr("Custom colour"));
    m_line->setPlaceholderText(QStringLiteral("#1f77b4"));
    m_line->setMaxLength(7);
    if (isSameFor(m_runs) && m_runs.front()->color.custom != 0)
        m_line->setText(QColor(m_runs.front()->color.custom).name());
    m_set = button(tr("Use"));
    auto* browse = button(tr("Pick…"));
    browse->setToolTip(tr("Choose any colour, or pick one from the screen"));
    line->addWidget(new Label(tr("Custom:"), TextRole::Secondary));
    line->addWidget(m_line, 1);
    line->addWidget(m_set);
    line->addWidget(browse);
    connect(m_line, &QLineEdit::textChanged, this, &ColorSheet::judge);
    connect(m_line, &QLineEdit::returnPressed, m_set, &QPushButton::click);
    connect(m_set, &QPushButton::clicked, this, [this] { choose(m_line->text()); });
    connect(browse, &QPushButton::clicked, this, &ColorSheet::pick);
    return part;
}

// Null: one run, or all have the same settings.
QWidget* ColorSheet::buildBySetting() {
    const QStringList settings = m_runs.size() > 1 ? differingSettings(m_runs) : QStringList();
    if (settings.isEmpty()) return nullptr;
    auto* part = new QWidget;
    auto* line = row(part, 8);
    m_setting = new QComboBox;
    m_setting->setAccessibleName(tr("Colour by setting"));
    for (const QString& path : settings) m_setting->addItem(shortPath(path), path);
    auto* apply = button(tr("Apply"));
    apply->setToolTip(tr("Runs with the same value get the same palette colour, in the order of the values"));
    line->addWidget(new Label(tr("By setting:"), TextRole::Secondary));
    line->addWidget(m_setting, 1);
    line->addWidget(apply);
    connect(apply, &QPushButton::clicked, this, [this] { chooseBy(m_setting->currentData().toString()); });
    return part;
}

void ColorSheet::chooseBy(const QString& setting) {
    const RunColumn column = settingColumn(setting);
    std::vector<RunItemPtr> sorted = m_runs;
    const auto compared = [&column](const RunItemPtr& a, const RunItemPtr& b) {
        return compareValues(sortValueIn(*a, column), sortValueIn(*b, column), Qt::AscendingOrder);
    };
    std::stable_sort(sorted.begin(), sorted.end(), [&](const auto& a, const auto& b) { return compared(a, b) < 0; });
    QMap<QString, QString> colors;
    int place = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (i > 0 && compared(sorted[i - 1], sorted[i]) < 0) ++place;
        colors.insert(sorted[i]->id, QString::number(place % store::kPaletteColors + 1));
    }
    m_bench.actions.setColors(colors);
    Settings::coloredBy.of(QString::fromStdString(m_bench.feed.workspace().root.string())).set(setting);
    close();
}

QWidget* ColorSheet::buildFooter() {
    auto* footer = new Surface(SurfaceColor::Panel, TopEdge);
    auto* buttons = row(footer, 8);
    setMargins(buttons, 20, 11, 20, 10);
    m_automatic = button(tr("Automatic"));
    m_automatic->setToolTip(tr("The run's original colour"));
    m_automatic->setEnabled(
        std::any_of(m_runs.begin(), m_runs.end(), [](const RunItemPtr& run) { return !run->row.color.empty(); }));
    auto* cancel = button(tr("Cancel"));
    buttons->addWidget(m_automatic);
    buttons->addStretch();
    buttons->addWidget(cancel);
    connect(m_automatic, &QPushButton::clicked, this, [this] { choose(QString()); });
    connect(cancel, &QPushButton::clicked, this, &Sheet::close);
    return footer;
}

void ColorSheet::judge(const QString& typed) {
    const auto choice = store::readColorChoice(typed.toStdString());
    m_set->setEnabled(choice && choice->rgb);
    m_fault->setText(typed.isEmpty() || m_set->isEnabled() ? QString() : tr("Enter a colour such as #1f77b4"));
}

void ColorSheet::pick() {
    auto* dialog = new QColorDialog(Theme::current().curve(m_runs.front()->color), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Colour"));
    connect(dialog, &QColorDialog::colorSelected, this, [this](const QColor& color) { choose(color.name()); });
    dialog->open();
}

void ColorSheet::choose(const QString& color) {
    QStringList ids;
    for (const RunItemPtr& run : m_runs) ids << run->id;
    m_bench.actions.setColor(ids, color);
    close();
}

} // namespace trainyard::ui
