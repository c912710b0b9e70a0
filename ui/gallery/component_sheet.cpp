// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/gallery/component_sheet.h"

#include "ui/gallery/component_samples.h"
#include "ui/theme/icon.h"
#include "ui/theme/theme.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/card.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/inputs/segmented_control.h"
#include "ui/widgets/inputs/split_button.h"
#include "ui/widgets/inputs/switch.h"
#include "ui/widgets/inputs/unit_field.h"
#include "ui/widgets/label.h"
#include "ui/widgets/marks/bars.h"
#include "ui/widgets/marks/status_chip.h"
#include "ui/widgets/sheets/checklist.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QPainter>
#include <QVBoxLayout>

namespace trainyard::ui {

namespace {

QHBoxLayout* rowOf(QVBoxLayout* body, int spacing) {
    auto* row = new QHBoxLayout;
    row->setSpacing(Theme::current().px(spacing));
    body->addLayout(row);
    return row;
}

QGridLayout* gridOf(QVBoxLayout* body, int horizontal, int vertical) {
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(Theme::current().px(horizontal));
    grid->setVerticalSpacing(Theme::current().px(vertical));
    body->addLayout(grid);
    return grid;
}

} // namespace

ComponentSheet::ComponentSheet(QWidget* parent) : QWidget(parent) {
    const Theme& theme = Theme::current();
    setWindowTitle(tr("Components"));
    resize(theme.px(1440), theme.px(900));
    auto* page = new QHBoxLayout(this);
    page->setContentsMargins(theme.px(20), theme.px(16), theme.px(20), theme.px(16));
    page->setSpacing(theme.px(12));
    QList<QVBoxLayout*> columns;
    for (const int width : {448, 456, 472}) {
        auto* holder = new QWidget;
        holder->setFixedWidth(theme.px(width));
        auto* column = new QVBoxLayout(holder);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(theme.px(12));
        page->addWidget(holder);
        columns << column;
    }
    page->addStretch(1);
    addButtons(columns[0]);
    addInputs(columns[0]);
    addRows(columns[0]);
    addType(columns[0]);
    addBanners(columns[1]);
    addPopups(columns[1]);
    addChecklist(columns[1]);
    addEmptyState(columns[1]);
    addCurvePalette(columns[2]);
    addSwatches(columns[2]);
    addIcons(columns[2]);
    addChips(columns[2]);
    for (QVBoxLayout* column : columns) column->addStretch(1);
}

Card* ComponentSheet::section(const QString& title, QVBoxLayout* column) {
    const Theme& theme = Theme::current();
    auto* card = new Card;
    card->body()->setContentsMargins(theme.px(16), theme.px(12), theme.px(16), theme.px(14));
    auto* heading = new Label(title, TextRole::SectionHeading);
    heading->setFixedHeight(theme.px(20));
    card->body()->addWidget(heading);
    card->body()->addSpacing(theme.px(8));
    column->addWidget(card);
    return card;
}

void ComponentSheet::addButtons(QVBoxLayout* column) {
    QVBoxLayout* body = section(tr("Buttons"), column)->body();
    QGridLayout* grid = gridOf(body, 12, 8);
    struct Column {
        QString name;
        QStyle::State state;
    };
    const QList<Column> states{{tr("normal"), {}},
                               {tr("hover"), QStyle::State_MouseOver},
                               {tr("pressed"), QStyle::State_Sunken},
                               {tr("focus"), {}},
                               {tr("disabled"), {}}};
    for (int i = 0; i < states.size(); ++i) {
        grid->addWidget(new Label(states[i].name, TextRole::SmallTertiary), 0, i);
        auto* primary = new StateButton(tr("New run"), "primary", states[i].state);
        auto* plain = new StateButton(tr("Fork"), "", states[i].state);
        setButtonIcon(plain, QStringLiteral("fork"));
        auto* bare = new StateButton(QString(), "", states[i].state);
        setButtonIcon(bare, QStringLiteral("pin"));
        bare->setAccessibleName(tr("Pin"));
        int row = 1;
        for (StateButton* button : {primary, plain, bare}) {
            button->setEnabled(i != 4);
            grid->addWidget(button, row++, i, Qt::AlignLeft);
            if (i == 3) FocusRing::attach(button);
        }
    }
    grid->setColumnStretch(5, 1);
    body->addSpacing(Theme::current().px(12));
    QHBoxLayout* row = rowOf(body, 8);
    auto* stop = new SplitButton(tr("Stop and save"), QStringLiteral("stop"));
    stop->addItem(tr("Stop now"));
    stop->addSeparator();
    stop->addItem(tr("Kill"), true);
    auto* save = new SplitButton(tr("Export safetensors"), QStringLiteral("export"));
    setKind(save, "primary");
    row->addWidget(stop);
    row->addWidget(save);
    row->addStretch(1);
}

void ComponentSheet::addInputs(QVBoxLayout* column) {
    const Theme& theme = Theme::current();
    QVBoxLayout* body = section(tr("Inputs"), column)->body();
    QGridLayout* grid = gridOf(body, 8, 8);
    auto* wrong = new QLineEdit(QStringLiteral("0.001"));
    setKind(wrong, "error");
    auto* filter = new UnitEdit;
    filter->setPlaceholderText(tr("Filter"));
    filter->setLeadingIcon(QStringLiteral("search"));
    auto* unit = new UnitEdit(tr("per rank"));
    unit->setText(QStringLiteral("256"));
    auto* combo = new QComboBox;
    combo->addItems({QStringLiteral("ResNet-18"), QStringLiteral("ResNet-34")});
    int place = 0;
    for (QWidget* field :
         std::initializer_list<QWidget*>{new QLineEdit(QStringLiteral("brave-otter")),
                                         new FocusedEdit(QStringLiteral("0.05")), wrong, filter, unit, combo}) {
        field->setFixedWidth(theme.px(132));
        grid->addWidget(field, place / 3, place % 3);
        ++place;
    }
    grid->setColumnStretch(3, 1);
    body->addSpacing(theme.px(6));
    auto* field = new UnitField;
    field->setError(tr("End is below start"));
    field->edit()->hide();
    field->layout()->setSpacing(0);
    body->addWidget(field);
    body->addSpacing(theme.px(12));
    QHBoxLayout* row = rowOf(body, 16);
    row->addWidget(new SegmentedControl({tr("Step"), tr("Epoch"), tr("Time")}));
    auto* off = new QCheckBox(tr("Off"));
    auto* on = new QCheckBox(tr("On"));
    on->setChecked(true);
    auto* switchOn = new Switch;
    switchOn->setChecked(true);
    for (QWidget* widget :
         std::initializer_list<QWidget*>{off, on, new Switch, switchOn, new KeyCap(QStringLiteral("Ctrl K"))}) {
        row->addWidget(widget);
    }
    row->addStretch(1);
}

void ComponentSheet::addRows(QVBoxLayout* column) {
    const Theme& theme = Theme::current();
    Card* card = section(tr("Rows, 28 px"), column);
    card->body()->setContentsMargins(0, theme.px(12), 0, theme.px(14));
    if (QLayoutItem* heading = card->body()->itemAt(0); heading->widget() != nullptr)
        heading->widget()->setContentsMargins(theme.px(16), 0, 0, 0);
    card->body()->addWidget(sampleRows());
}

void ComponentSheet::addType(QVBoxLayout* column) {
    const Theme& theme = Theme::current();
    QVBoxLayout* body = section(tr("Type"), column)->body();
    struct Line {
        QString text;
        TextRole role;
        int height;
        int before;
    };
    for (const Line& line :
         QList<Line>{{QStringLiteral("Title 16/24, 600"), TextRole::Title, 24, 0},
                     {QStringLiteral("Heading 13/20, 600"), TextRole::Heading, 20, 4},
                     {QStringLiteral("Body 13/20, 400. Digits are tabular: 0123456789"), TextRole::Body, 20, 0},
                     {QStringLiteral("Small 12/16, secondary"), TextRole::SmallSecondary, 16, 0},
                     {QStringLiteral("Small 12/16, tertiary and disabled"), TextRole::SmallTertiary, 16, 0},
                     {QStringLiteral("layer1.0.conv1.weight, 12 mono"), TextRole::Mono, 20, 4}}) {
        body->addSpacing(theme.px(line.before));
        auto* label = new Label(line.text, line.role);
        label->setFixedHeight(theme.px(line.height));
        body->addWidget(label);
    }
}

void ComponentSheet::addBanners(QVBoxLayout* column) {
    QVBoxLayout* body = section(tr("Banners"), column)->body();
    body->setSpacing(Theme::current().px(8));
    body->takeAt(1); // the spacing above stands in for the heading's gap
    auto* busy = new Banner(Status::Error, tr("Port 29500 is in use"), tr("pid 4711, python3 of mira"));
    busy->addButton(tr("Use 29502"));
    auto* disk = new Banner(Status::Warn, tr("Disk low: 2.1 GB free"), tr("brave-otter pauses at 1 GB"));
    disk->addButton(tr("Free space"));
    auto* away = new Banner(Status::Info, tr("While you were away: 2 finished, best 0.981"));
    away->setClosable(true);
    auto* saved = new Banner(Status::Success, tr("Stopped and saved at step 8,780"), tr("0 processes left"));
    setKind(saved->addButton(tr("Undo")), "flat");
    for (Banner* banner : {busy, disk, away, saved}) body->addWidget(banner);
}

void ComponentSheet::addPopups(QVBoxLayout* column) {
    const Theme& theme = Theme::current();
    QVBoxLayout* body = section(tr("Tooltip, menu, progress"), column)->body();
    QHBoxLayout* row = rowOf(body, 16);
    row->addWidget(sampleTooltip(), 0, Qt::AlignTop);
    row->addWidget(sampleMenu(), 0, Qt::AlignTop);
    row->addStretch(1);
    body->addSpacing(theme.px(12));
    auto* progress = new ProgressLine;
    progress->setValue(0.62, theme.curve(0));
    body->addWidget(progress);
    body->addSpacing(theme.px(8));
    QHBoxLayout* bars = rowOf(body, 8);
    const QList<QPair<double, QColor>> values{{0.98, theme.curve(0)}, {0.46, theme.curve(1)}, {0.20, QColor()}};
    for (const auto& [share, color] : values) {
        auto* bar = new MiniBar;
        bar->setValue(share, color);
        bars->addWidget(bar);
    }
    bars->addWidget(new Label(tr("bars take the run's colour"), TextRole::SmallTertiary));
    bars->addStretch(1);
}

void ComponentSheet::addChecklist(QVBoxLayout* column) {
    QVBoxLayout* body = section(tr("Start checklist: shown in the empty chart until the first point"), column)->body();
    auto* list = new Checklist;
    list->setSteps({{tr("Start 2 workers"), StepState::Done, QStringLiteral("0.4 s")},
                    {tr("Rendezvous"), StepState::Done, QStringLiteral("0.1 s")},
                    {tr("Load data"), StepState::Running, tr("running")},
                    {tr("First step"), StepState::Waiting, QString()}});
    body->addWidget(list);
}

void ComponentSheet::addEmptyState(QVBoxLayout* column) {
    section(tr("Empty state: what, why, one action"), column)
        ->body()
        ->addWidget(new EmptyState(tr("No sweeps yet"),
                                   tr("A sweep trains one model with many settings. Turn on Sweep next "
                                      "to any number in a new run."),
                                   tr("New sweep"), QStringLiteral("sweeps")));
}

void ComponentSheet::addCurvePalette(QVBoxLayout* column) {
    QGridLayout* grid = gridOf(section(tr("Curve palette, in order of use"), column)->body(), 8, 8);
    const QStringList names{QStringLiteral("sky"),   QStringLiteral("orange"), QStringLiteral("teal"),
                            QStringLiteral("pink"),  QStringLiteral("gold"),   QStringLiteral("orchid"),
                            QStringLiteral("brown"), QStringLiteral("lime"),   QStringLiteral("cyan"),
                            QStringLiteral("slate")};
    for (int i = 0; i < names.size(); ++i) grid->addWidget(sampleCurve(i, names[i]), i / 5, i % 5);
}

void ComponentSheet::addSwatches(QVBoxLayout* column) {
    struct Swatch {
        const char* name;
        QColor Theme::* color;
    };
    const auto fill = [](QGridLayout* grid, const QList<Swatch>& swatches, int columns) {
        int place = 0;
        for (const Swatch& swatch : swatches) {
            const auto member = swatch.color;
            grid->addWidget(
                sampleSwatch(QString::fromLatin1(swatch.name), [member](const Theme& theme) { return theme.*member; }),
                place / columns, place % columns);
            ++place;
        }
        return place;
    };
    fill(gridOf(section(tr("Surfaces"), column)->body(), 0, 8),
         {{"window", &Theme::window},
          {"panel", &Theme::panel},
          {"card", &Theme::card},
          {"raised", &Theme::raised},
          {"field", &Theme::field},
          {"control", &Theme::control},
          {"hover", &Theme::hover},
          {"selection", &Theme::selection},
          {"selectionInactive", &Theme::selectionInactive},
          {"track", &Theme::track},
          {"border", &Theme::border},
          {"borderStrong", &Theme::borderStrong}},
         4);
    QGridLayout* grid = gridOf(section(tr("Accent, status, sequence"), column)->body(), 0, 8);
    int place = fill(grid,
                     {{"accent", &Theme::accent},
                      {"accentHover", &Theme::accentHover},
                      {"accentPressed", &Theme::accentPressed},
                      {"focus", &Theme::focus},
                      {"success", &Theme::success},
                      {"warn", &Theme::warn},
                      {"error", &Theme::error},
                      {"info", &Theme::info},
                      {"successBg", &Theme::successBg},
                      {"warnBg", &Theme::warnBg},
                      {"errorBg", &Theme::errorBg},
                      {"infoBg", &Theme::infoBg},
                      {"grid", &Theme::grid},
                      {"axis", &Theme::axis}},
                     5);
    for (std::size_t i = 0; i < 5; ++i, ++place) {
        grid->addWidget(sampleSwatch(QStringLiteral("seq%1").arg(i), [i](const Theme& theme) { return theme.seq[i]; }),
                        place / 5, place % 5);
    }
}

void ComponentSheet::addIcons(QVBoxLayout* column) {
    section(tr("Icons, 16 px, stroke 1.25"), column)->body()->addWidget(sampleIcons());
}

void ComponentSheet::addChips(QVBoxLayout* column) {
    QHBoxLayout* row = rowOf(section(tr("Chips"), column)->body(), 8);
    row->addWidget(new StatusChip(tr("Running"), Status::Info));
    row->addWidget(new StatusChip(tr("Ready"), Status::Success, QStringLiteral("check")));
    row->addWidget(new StatusChip(tr("1 GPU in use"), Status::Warn, QStringLiteral("warning")));
    row->addWidget(new StatusChip(tr("Failed"), Status::Error, QStringLiteral("error")));
    row->addWidget(new StatusChip(tr("pinned")));
    row->addStretch(1);
}

void ComponentSheet::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), Theme::current().window);
}

} // namespace trainyard::ui
