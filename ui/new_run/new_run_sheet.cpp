// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_run/new_run_sheet.h"

#include "engine/base/atomic_file.h"
#include "engine/base/ids.h"
#include "engine/run/actions/first_run.h"
#include "engine/spec/task_kind.h"
#include "ui/forms/lr_field.h"
#include "ui/forms/slurm_fields.h"
#include "ui/models/background.h"
#include "ui/models/host_list.h"
#include "ui/new_run/change_list.h"
#include "ui/new_run/run_draft.h"
#include "ui/theme/icon.h"
#include "ui/widgets/segmented_control.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QScrollArea>
#include <QShortcut>

#include <algorithm>

namespace trainyard::ui {

namespace {

struct Preset {
    const char* title;
    const char* model;
    double lr;
    std::int64_t batch, epochs;
    spec::TaskKind task = spec::TaskKind::Classification;
    const char* dataset = nullptr; // null: the first run's
};
// Settings that give a good curve on a few cores, on Fashion-MNIST where nothing else is said.
constexpr Preset kPresets[] = {
    {QT_TRANSLATE_NOOP("trainyard::ui::NewRunSheet", "First run"), "mlp", 0.1, 128, 5},
    {QT_TRANSLATE_NOOP("trainyard::ui::NewRunSheet", "Baseline"), "softmax", 0.1, 128, 5},
    {QT_TRANSLATE_NOOP("trainyard::ui::NewRunSheet", "Small ConvNet"), "convnet", 0.05, 128, 5},
    {QT_TRANSLATE_NOOP("trainyard::ui::NewRunSheet", "ResNet-18"), "resnet18", 0.05, 128, 3},
    {QT_TRANSLATE_NOOP("trainyard::ui::NewRunSheet", "Regression"), "mlp", 0.05, 64, 20, spec::TaskKind::Regression,
     "waves"},
    {QT_TRANSLATE_NOOP("trainyard::ui::NewRunSheet", "Small GPT"), "gpt", 0.05, 32, 5, spec::TaskKind::Language,
     "sentences"}};

// A word for a POSIX shell.
QString shellQuoted(QString text) {
    return QLatin1Char('\'') + text.replace(QLatin1Char('\''), QStringLiteral("'\\''")) + QLatin1Char('\'');
}

// What a sweep file names the sweeps of a workspace by: their names, or where two share one their ids.
QStringList sweepWords(const std::vector<store::SweepRow>& sweeps) {
    QStringList words;
    for (const auto& sweep : sweeps) {
        const auto named =
            std::count_if(sweeps.begin(), sweeps.end(), [&](const auto& other) { return other.name == sweep.name; });
        words << QString::fromStdString(named == 1 ? sweep.name : sweep.id);
    }
    return words;
}

} // namespace

NewRunSheet::NewRunSheet(Workbench& bench, QWidget* window) : Sheet(window, QSize(1248, 720)), m_bench(bench) {
    const Theme& theme = Theme::current();
    panel()->setAccessibleName(tr("New run"));
    buildHeader(body());
    auto* middle = row();
    m_formSide = new Surface(SurfaceColor::Panel, RightEdge);
    auto* formLayout = column(m_formSide);
    formLayout->setContentsMargins(0, 0, 1, 0);
    m_formArea = new QScrollArea;
    m_formArea->setFrameShape(QFrame::NoFrame);
    m_formArea->setFocusPolicy(Qt::NoFocus); // its fields have it
    m_formArea->setWidgetResizable(true);
    m_formArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_formArea->viewport()->setAutoFillBackground(false);
    m_waiting = new Label(tr("Loading models and datasets…"), TextRole::Secondary);
    m_waiting->setMargin(theme.px(20));
    m_waiting->setWordWrap(true);
    m_waiting->setAlignment(Qt::AlignTop);
    formLayout->addWidget(m_waiting);
    buildDraft(formLayout);
    auto* middleOfForm = row();
    middleOfForm->addStretch();
    middleOfForm->addWidget(m_formArea, 100);
    middleOfForm->addStretch();
    formLayout->addLayout(middleOfForm, 1);
    m_formArea->hide();
    auto* paneSide = new Surface(SurfaceColor::Window);
    m_pane = new PreviewPane(bench);
    auto* paneScroll = scrolled(m_pane);
    paneScroll->setFocusPolicy(Qt::NoFocus);
    column(paneSide)->addWidget(paneScroll);
    m_paneArea = paneSide;
    m_formSide->setMinimumWidth(theme.px(480));
    middle->addWidget(m_formSide);
    middle->addWidget(m_paneArea, 1);
    body()->addLayout(middle, 1);
    buildFooter(body());
    connect(&m_process, &PreviewProcess::arrived, this, [this](const Preview& preview) {
        m_pane->setPreview(preview);
        refresh();
    });
    connect(&m_process, &PreviewProcess::refused, this, [this](const Error& error) {
        m_refusal = error;
        refresh();
    });
    connect(m_pane, &PreviewPane::swapRequested, this, [this] { m_form->swapEnds(); });
    connect(&bench.catalog, &CatalogLoader::loaded, this, &NewRunSheet::buildForm);
    connect(&bench.feed, &WorkspaceFeed::sweepsChanged, this, [this] {
        if (m_form) m_form->setEarlierSweeps(sweepWords(m_bench.feed.sweeps()));
    });
    connect(&bench.catalog, &CatalogLoader::failed, this, [this](const QString& why) { m_waiting->setText(why); });
    const auto addKeys = [this](const QString& keys, QPushButton* pressed) {
        auto* shortcut = new QShortcut(QKeySequence(keys), this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, pressed, &QPushButton::click);
    };
    addKeys(QStringLiteral("Ctrl+Return"), m_startButton);
    addKeys(QStringLiteral("Ctrl+Shift+Return"), m_queueButton);
}

void NewRunSheet::buildHeader(QVBoxLayout* layout) {
    const Theme& theme = Theme::current();
    auto* header = new Surface(SurfaceColor::Panel, BottomEdge);
    header->setFixedHeight(theme.px(48));
    auto* line = row(header, 12);
    setMargins(line, 20, 0, 12, 1);
    m_title = new Label(tr("New run"), TextRole::Title);
    m_name = new QLineEdit;
    m_name->setMaximumWidth(theme.px(280));
    m_name->setMinimumWidth(theme.px(112));
    m_name->setMaxLength(120);
    m_name->setAccessibleName(tr("Name of the run"));
    m_name->addAction(icon(QStringLiteral("edit")), QLineEdit::TrailingPosition);
    m_page = new SegmentedControl({tr("Settings"), tr("Preview")});
    m_page->setAccessibleName(tr("Page"));
    m_preset = new QComboBox;
    m_preset->setMinimumWidth(theme.px(112));
    m_preset->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_preset->setMinimumContentsLength(10);
    m_preset->setAccessibleName(tr("Preset"));
    auto* close = iconButton(QStringLiteral("close"), tr("Close"), QStringLiteral("Esc"));
    connect(close, &QToolButton::clicked, this, &Sheet::close);
    connect(m_preset, &QComboBox::activated, this, &NewRunSheet::applyPreset);
    connect(m_name, &QLineEdit::textEdited, this, &NewRunSheet::refresh);
    connect(m_page, &SegmentedControl::currentIndexChanged, this, &NewRunSheet::fitColumns);
    line->addWidget(m_title);
    line->addWidget(m_name, 1);
    line->addStretch();
    line->addWidget(m_page);
    line->addStretch();
    m_presetLabel = new Label(tr("Preset"), TextRole::SmallSecondary);
    m_from = new QComboBox;
    m_from->setMinimumWidth(theme.px(144));
    m_from->setMaximumWidth(theme.px(320));
    m_from->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_from->setMinimumContentsLength(16);
    m_from->setAccessibleName(tr("Start from"));
    m_from->hide();
    connect(m_from, &QComboBox::activated, this, &NewRunSheet::refresh);
    line->addWidget(m_presetLabel);
    line->addWidget(m_preset);
    line->addWidget(m_from);
    line->addWidget(close);
    layout->addWidget(header);
}

void NewRunSheet::buildFooter(QVBoxLayout* layout) {
    const Theme& theme = Theme::current();
    auto* footer = new Surface(SurfaceColor::Panel, TopEdge);
    footer->setMinimumHeight(theme.px(52)); // more where what is wrong needs several lines
    auto* line = row(footer, 8);
    setMargins(line, 20, 1, 20, 0);
    m_copyButton = button({}, QStringLiteral("terminal"), "flat");
    m_saveButton = button({}, QStringLiteral("copy"), "flat");
    labelTools();
    m_copyButton->setEnabled(false); // until the form is there and right
    m_saveButton->setEnabled(false);
    connect(m_copyButton, &QPushButton::clicked, this, &NewRunSheet::copyCommand);
    connect(m_saveButton, &QPushButton::clicked, this, &NewRunSheet::saveFile);
    m_reason = new Label(QString(), TextRole::SmallError);
    m_reason->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_reason->setWordWrap(true);
    m_reason->setMinimumWidth(0);
    m_reason->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* cancel = button(tr("Cancel"));
    connect(cancel, &QPushButton::clicked, this, &Sheet::close);
    m_queueButton = button(tr("Add to queue"), QStringLiteral("clock"));
    m_queueButton->setEnabled(false);
    connect(m_queueButton, &QPushButton::clicked, this, &NewRunSheet::enqueue);
    m_startButton = button(tr("Start"), QStringLiteral("play"), "primary");
    m_startButton->setToolTip(tr("Start  Ctrl+Enter"));
    m_startButton->setEnabled(false);
    connect(m_startButton, &QPushButton::clicked, this, &NewRunSheet::launch);
    line->addWidget(m_copyButton);
    line->addWidget(m_saveButton);
    line->addWidget(m_reason, 1);
    line->addSpacing(theme.px(4));
    line->addWidget(cancel);
    line->addWidget(m_queueButton);
    line->addWidget(m_startButton);
    layout->addWidget(footer);
}

void NewRunSheet::start(const QString& json, bool sweep) {
    m_json = json;
    m_sweep = sweep;
    if (m_bench.catalog.catalog()) {
        buildForm();
    } else {
        if (!m_bench.catalog.error().isEmpty()) m_waiting->setText(m_bench.catalog.error());
        m_bench.catalog.load();
    }
}

void NewRunSheet::use(const TrainingSource& source) {
    m_source = source;
    if (!m_form) return start({}, false);
    m_form->use(*std::exchange(m_source, {}));
    setFirst(m_form->first());
}

void NewRunSheet::buildForm() {
    if (m_form) return;
    const auto catalog = m_bench.catalog.catalog();
    m_form = new RunForm(*catalog, hostAliases());
    // Where there is a Slurm, its programs are here; they may take their time.
    inBackground(
        m_form, [] { return run::askPartitions(); },
        [form = m_form](Result<std::vector<run::SlurmPartition>> partitions) {
            if (partitions) form->offerSlurm(*partitions);
        });
    m_formArea->setWidget(m_form);
    m_form->setAutoFillBackground(false);
    m_waiting->hide();
    m_formArea->show();
    m_preset->addItem(tr("Custom"));
    for (const Preset& preset : kPresets)
        if (spec::Catalog::find(catalog->models, preset.model))
            m_preset->addItem(tr(preset.title), static_cast<int>(&preset - kPresets));
    fill();
    connect(m_form, &RunForm::changed, this, [this] {
        m_preset->setCurrentIndex(0);
        refresh();
    });
    offerDraft();
    refresh();
    setFirst(m_form->first());
}

void NewRunSheet::fill() {
    spec::RunSpec spec = run::firstRun(*m_bench.catalog.catalog(), SystemStats::cores());
    m_preset->setCurrentIndex(std::max(0, m_preset->findData(0)));
    if (m_source) {
        if (m_source->kind == TrainingSource::Images) { // what is seen in images takes more than a perceptron
            spec.model = {"convnet", {}};
            spec.optimizer.params["lr"] = 0.05;
        }
        spec.batch = {std::nullopt, 32, 1}; // data of one's own may be few
        useSource(spec, *std::exchange(m_source, {}), *m_bench.catalog.catalog());
        m_preset->setCurrentIndex(0);
    }
    const std::string text = m_json.toStdString();
    std::string runJson = text;
    std::optional<spec::SweepSpec> sweep;
    if (!text.empty() && spec::isSweepFile(text)) {
        if (auto parsed = spec::parseSweepSpec(text)) sweep = *parsed;
        else return refuse(parsed.error(), spec);
        runJson = sweep->runJson;
    }
    if (!runJson.empty()) {
        auto parsed = spec::parseRunSpec(runJson);
        if (!parsed) return refuse(parsed.error(), spec);
        spec = *parsed;
        m_preset->setCurrentIndex(0);
    }
    m_form->setEarlierSweeps(sweepWords(m_bench.feed.sweeps()));
    if (m_origin.isEmpty() && !runJson.empty() && !sweep) m_before = spec;
    m_form->setSpec(spec);
    if (sweep) m_form->setSweep(*sweep);
    QString name = text.empty() ? QString() : QString::fromStdString(sweep ? sweep->name : spec.name);
    if (m_sweep) m_form->setSweeping(true);
    for (const auto& run : m_bench.feed.runs())
        if (run->name == name) name.clear(); // a fork needs a name of its own
    m_name->setText(name.isEmpty() ? QString::fromStdString(newRunName()) : name);
}

// A file that cannot be read leaves the sheet with the defaults, and says so.
void NewRunSheet::refuse(const Error& error, const spec::RunSpec& defaults) {
    m_form->setSpec(defaults);
    m_name->setText(QString::fromStdString(newRunName()));
    Q_EMIT m_bench.statusMessage(QString::fromStdString(error.text()), Theme::current().error);
}

void NewRunSheet::applyPreset(int index) {
    if (index <= 0 || !m_form) return;
    const Preset& preset = kPresets[m_preset->itemData(index).toInt()];
    spec::RunSpec spec = run::firstRun(*m_bench.catalog.catalog(), SystemStats::cores());
    spec.model = {preset.model, {}};
    if (spec.model.name == "resnet18") spec.model.params["stem"] = std::string("small");
    spec.task = toString(preset.task);
    if (preset.dataset) spec.dataset = {preset.dataset, {}};
    else if (spec.model.name != "mlp" && spec.model.name != "softmax" && spec.dataset.name == "spirals")
        spec.dataset = {"glyphs", {}};
    spec::fitToTask(spec, *m_bench.catalog.catalog());
    spec.optimizer.params["lr"] = preset.lr;
    spec.batch = {std::nullopt, preset.batch, 1};
    spec.epochs = preset.epochs;
    m_form->setSpec(spec);
    refresh();
}

void NewRunSheet::refresh() {
    if (!m_form) return;
    m_state = m_form->read();
    m_state.spec.name = m_name->text().simplified().toStdString();
    bool nameRefused = false;
    for (const auto& error : spec::validateFields(m_state.spec)) {
        if (error.path != "name") continue;
        m_state.errors.prepend(tr("Name %1").arg(QString::fromStdString(error.message)));
        nameRefused = true;
    }
    setKind(m_name, nameRefused ? "error" : "");
    noteNothingToTrain();
    m_pane->setState(m_state);
    const bool right = m_state.errors.isEmpty();
    if (right) {
        ask();
    } else {
        m_process.cancel();
        m_refusal.reset();
        m_asked.clear();
    }
    const QString why = whatIsWrong();
    m_reason->setText(why);
    m_reason->setToolTip(m_state.errors.join(QLatin1Char('\n')));
    m_copyButton->setEnabled(right);
    m_saveButton->setEnabled(right);
    showButtons(why);
    showChanges();
    keepDraft();
}

// Asks the worker about the run as it stands, unless it was asked just that.
void NewRunSheet::ask() {
    spec::RunSpec nameless = m_state.shown;
    nameless.name.clear();
    const QString question = QString::fromStdString(spec::toJson(nameless));
    if (question == m_asked) return;
    m_asked = question;
    m_refusal.reset();
    m_pane->setBusy();
    m_process.ask(question);
}

QString NewRunSheet::whatIsWrong() {
    if (m_state.errors.isEmpty() && m_state.slurm)
        if (const QString why = SlurmFields::whyNot(m_state.sweep, beginning() != nullptr); !why.isEmpty()) return why;
    if (m_state.errors.isEmpty()) {
        if (!m_refusal) return {};
        const QString words = m_form->showRefusal(*m_refusal);
        m_pane->setRefused(words);
        return words;
    }
    QString why = m_state.errors.first();
    if (m_state.errors.size() > 1) why += tr(" (and %1 more)").arg(m_state.errors.size() - 1);
    return why;
}

void NewRunSheet::showButtons(const QString& why) {
    m_startButton->setEnabled(why.isEmpty() && !m_launched);
    m_startButton->setAccessibleDescription(why);
    const bool counted = m_state.sweep && !spec::isOpenEnded(*m_state.sweep);
    m_startButton->setText(counted            ? tr("Start %n trials", nullptr, m_state.trials)
                           : m_state.sweeping ? tr("Start sweep")
                                              : tr("Start"));
    const bool isHere = m_state.home.isEmpty() && !m_state.slurm;
    m_queueButton->setEnabled(m_startButton->isEnabled() && isHere);
    m_queueButton->setAccessibleDescription(why);
    m_queueButton->setToolTip(isHere ? tr("Start it when there is room for it on this computer  Ctrl+Shift+Enter")
                                     : tr("The queue is for runs that live on this computer"));
    labelTools();
    m_title->setText(m_state.sweeping ? tr("New sweep") : m_origin.isEmpty() ? tr("New run") : tr("Fork"));
}

// In a narrow sheet they are icons alone, to leave room for what starts the run and for why it cannot start.
void NewRunSheet::labelTools() {
    const auto label = [narrow = showsOnePage()](QPushButton& tool, const QString& text) {
        tool.setText(narrow ? QString() : text);
        tool.setToolTip(narrow ? text : QString());
        tool.setAccessibleName(text);
    };
    label(*m_copyButton, tr("Copy as command"));
    label(*m_saveButton, m_state.sweeping ? tr("Save sweep file") : tr("Save run file"));
}

void NewRunSheet::launch() {
    if (std::exchange(m_launched, true)) return;
    RunDraft::forget(workspace());
    m_startButton->setEnabled(false);
    if (m_state.slurm) {
        m_bench.actions.submitToSlurm(json().toUtf8(), *m_state.slurm);
    } else if (m_state.sweep) {
        m_bench.actions.startSweepOn(m_state.home, namedSweep());
    } else if (!m_state.home.isEmpty()) {
        const auto* from = beginning();
        m_bench.actions.startOn(m_state.home, m_state.spec,
                                from ? QStringLiteral("%1@%2").arg(m_origin).arg(from->step) : QString());
    } else {
        run::StartOptions options;
        if (const auto* from = beginning()) {
            options.resumeFrom = from->path;
            options.forkedFrom = m_origin.toStdString();
        }
        m_bench.actions.start(m_state.spec, options);
    }
    close();
}

void NewRunSheet::enqueue() {
    if (std::exchange(m_launched, true)) return;
    RunDraft::forget(workspace());
    if (m_state.sweep) {
        m_bench.queue.add(namedSweep());
    } else {
        queue::QueuedFork fork;
        if (const auto* from = beginning()) fork = {from->path, m_origin.toStdString()};
        m_bench.queue.add(m_state.spec, fork);
    }
    close();
}

spec::SweepSpec NewRunSheet::namedSweep() const {
    spec::SweepSpec sweep = *m_state.sweep;
    sweep.name = m_state.spec.name;
    return sweep;
}

QString NewRunSheet::json() const {
    if (m_state.sweep) return QString::fromStdString(spec::toJson(namedSweep()));
    return QString::fromStdString(spec::toJson(m_state.spec));
}

void NewRunSheet::copyCommand() {
    const QString file = m_state.sweep ? QStringLiteral("sweep") : QStringLiteral("run");
    const QString verb = m_state.slurm ? QStringLiteral("slurm submit") : file;
    QString on = m_state.home.isEmpty() ? QString() : QStringLiteral(" --on ") + shellQuoted(m_state.home);
    if (m_state.slurm)
        for (const auto& option : run::submitOptions(*m_state.slurm))
            on += QLatin1Char(' ') + shellQuoted(QString::fromStdString(option));
    const QString command = QStringLiteral("printf '%s' %1 > %2.json && trainyardctl %3 %2.json%5 --workspace %4\n")
                                .arg(shellQuoted(json()), file, verb,
                                     shellQuoted(QString::fromStdString(m_bench.feed.workspace().root.string())), on);
    QApplication::clipboard()->setText(command);
    Q_EMIT m_bench.statusMessage(tr("Copied the command"), {});
}

void NewRunSheet::saveFile() {
    const QString chosen =
        QFileDialog::getSaveFileName(this, m_state.sweeping ? tr("Save sweep file") : tr("Save run file"),
                                     runFileName(m_name->text()), tr("Run files (*.trainyard.json *.json)"));
    if (chosen.isEmpty()) return;
    const QString path = withRunFileSuffix(chosen);
    // The sheet may be closed before the disk has answered.
    inBackground(
        &m_bench, [path, text = json().toStdString()] { return writeFileAtomic(path.toStdString(), text); },
        [bench = &m_bench, path](Result<void> saved) {
            Q_EMIT bench->statusMessage(saved ? tr("Saved %1").arg(path) : QString::fromStdString(saved.error().text()),
                                        {});
        });
}

void NewRunSheet::resizeEvent(QResizeEvent* event) {
    Sheet::resizeEvent(event);
    fitColumns();
}

// Too narrow for settings and preview side by side.
bool NewRunSheet::showsOnePage() const { return width() < Theme::current().px(1040); }

void NewRunSheet::fitColumns() {
    const bool both = !showsOnePage();
    const Theme& theme = Theme::current();
    labelTools();
    m_page->setVisible(!both);
    m_presetLabel->setVisible(both);
    m_formArea->setMinimumWidth(theme.px(480));
    m_formArea->setMaximumWidth(theme.px(both ? 480 : 640)); // alone, in the middle
    m_formSide->setVisible(both || m_page->currentIndex() == 0);
    m_formSide->setSizePolicy(both ? QSizePolicy::Fixed : QSizePolicy::Preferred, QSizePolicy::Preferred);
    m_paneArea->setVisible(both || m_page->currentIndex() == 1);
}

} // namespace trainyard::ui
