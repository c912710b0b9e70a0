// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_run/new_run_sheet.h"

#include "engine/base/files/atomic_file.h"
#include "engine/run/start/fork.h"
#include "engine/run/start/quick_head.h"
#include "engine/spec/run/learning_rate.h"
#include "ui/forms/fields/slurm_fields.h"
#include "ui/forms/fields/weight_rows.h"
#include "ui/models/desktop/background.h"
#include "ui/models/desktop/file_question.h"
#include "ui/models/hosts/hosts_check.h"
#include "ui/models/text/format.h"
#include "ui/new_run/change_list.h"
#include "ui/new_run/checkpoint_choice.h"
#include "ui/new_run/draft_offer.h"
#include "ui/new_run/form_strip.h"
#include "ui/new_run/new_run_footer.h"
#include "ui/new_run/new_run_header.h"
#include "ui/new_run/preview_pane.h"
#include "ui/new_run/program_pane.h"
#include "ui/new_run/run_command.h"
#include "ui/widgets/place_keeper.h"

#include <QApplication>
#include <QClipboard>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>

#include <algorithm>
#include <tuple>

namespace trainyard::ui {

namespace {

constexpr QSize kMostSize(1760, 1160); // beyond, lines are too long to read
constexpr int kFormWidth = 496, kWideFormWidth = 600;

QString folderOf(const Workbench& bench) { return QString::fromStdString(bench.feed.workspace().root.string()); }

} // namespace

NewRunSheet::NewRunSheet(Workbench& bench, QWidget* window)
    : Sheet(window, kMostSize), m_bench(bench), m_header(new NewRunHeader), m_footer(new NewRunFooter) {
    panel()->setAccessibleName(tr("New run"));
    body()->addWidget(m_header);
    buildColumns();
    body()->addWidget(m_footer);
    listen();
    const auto addKeys = [this](const QString& keys, QPushButton* pressed) {
        auto* shortcut = new QShortcut(QKeySequence(keys), this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, pressed, &QPushButton::click);
    };
    addKeys(QStringLiteral("Ctrl+Return"), startButton());
    addKeys(QStringLiteral("Ctrl+Shift+Return"), queueButton());
    auto* toArguments = new QShortcut(QKeySequence(Qt::ALT | Qt::Key_A), this);
    toArguments->setContext(Qt::WidgetWithChildrenShortcut);
    connect(toArguments, &QShortcut::activated, this, [this] {
        if (showsProgram()) m_forms.program->arguments()->focusFirst();
    });
}

void NewRunSheet::buildColumns() {
    const Theme& theme = Theme::current();
    m_formSide = new Surface(SurfaceColor::Panel, RightEdge);
    m_formSide->setMinimumWidth(theme.px(kFormWidth));
    auto* formLayout = column(m_formSide);
    formLayout->setContentsMargins(0, 0, 1, 0);
    m_waiting = new Label(tr("Loading models and datasets…"), TextRole::Secondary);
    m_waiting->setMargin(theme.px(20));
    m_waiting->setWordWrap(true);
    m_waiting->setAlignment(Qt::AlignTop);
    m_draft = new DraftOffer(folderOf(m_bench));
    m_changes = new ChangeList;
    m_formArea = new QScrollArea;
    m_formArea->setFrameShape(QFrame::NoFrame);
    m_formArea->setFocusPolicy(Qt::NoFocus); // the focus belongs to its fields
    m_formArea->setWidgetResizable(true);
    m_formArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_formArea->viewport()->setAutoFillBackground(false);
    auto* forms = new QWidget;
    forms->setAutoFillBackground(false);
    column(forms);
    m_formArea->setWidget(forms);
    forms->setAutoFillBackground(false); // setWidget() turns it on
    new PlaceKeeper(*m_formArea);
    m_formArea->hide();
    auto* middleOfForm = row();
    middleOfForm->addStretch();
    middleOfForm->addWidget(m_formArea, 100);
    middleOfForm->addStretch();
    for (QWidget* each : std::initializer_list<QWidget*>{m_waiting, m_draft}) formLayout->addWidget(each);
    formLayout->addLayout(middleOfForm, 1);
    formLayout->addWidget(m_changes); // below the fields, so that a change moves none of them
    m_strip = new FormStrip;
    m_strip->hide();
    formLayout->addWidget(m_strip);

    m_pane = new PreviewPane(m_bench);
    auto* paneScroll = scrolled(m_pane);
    paneScroll->setFocusPolicy(Qt::NoFocus);
    m_paneSide = new Surface(SurfaceColor::Window);
    column(m_paneSide)->addWidget(paneScroll);
    auto* middle = row();
    middle->addWidget(m_formSide);
    middle->addWidget(m_paneSide, 1);
    body()->addLayout(middle, 1);
}

void NewRunSheet::listen() {
    connect(m_header, &NewRunHeader::nameEdited, this, &NewRunSheet::refresh);
    connect(m_header, &NewRunHeader::presetChosen, this, &NewRunSheet::applyPreset);
    connect(m_header, &NewRunHeader::checkpointChosen, this, &NewRunSheet::followCheckpoint);
    connect(m_header, &NewRunHeader::pageChosen, this, &NewRunSheet::fitColumns);
    connect(m_header, &NewRunHeader::closeRequested, this, &Sheet::close);
    connect(m_footer, &NewRunFooter::copyRequested, this, &NewRunSheet::copyCommand);
    connect(m_footer, &NewRunFooter::saveRequested, this, &NewRunSheet::saveFile);
    connect(m_footer, &NewRunFooter::queueRequested, this, &NewRunSheet::enqueue);
    connect(m_footer, &NewRunFooter::startRequested, this, &NewRunSheet::launch);
    connect(m_footer, &NewRunFooter::cancelRequested, this, &Sheet::close);
    connect(m_footer, &NewRunFooter::faultRequested, this, [this] { goTo(m_forms.shown->firstFault()); });
    connect(m_strip, &FormStrip::allChosen, this, [this](bool all) { m_forms.shown->setAllFields(all); });
    connect(m_strip, &FormStrip::whereRequested, this, [this] { goTo(m_forms.shown->whereField()); });
    connect(m_strip, &FormStrip::sweepRequested, this, [this] { goTo(m_forms.shown->sweepField()); });
    connect(m_draft, &DraftOffer::restoreRequested, this, &NewRunSheet::restore);
    connect(m_draft, &DraftOffer::discarded, this, [this] { setFirst(m_forms.shown->first()); });
    connect(m_changes, &ChangeList::resetRequested, this, &NewRunSheet::resetField);
    connect(&m_question, &PreviewQuestion::asked, m_pane, &PreviewPane::setBusy);
    connect(&m_question, &PreviewQuestion::arrived, this, [this](Preview preview) {
        for (QString& note : preview.notes) note = m_forms.run->inWords(note);
        m_pane->setPreview(preview);
        m_forms.run->weights()->setPreview(&preview);
        refresh();
    });
    connect(&m_question, &PreviewQuestion::refused, this, [this] {
        m_forms.run->weights()->setPreview(nullptr);
        refresh();
    });
    connect(&m_watch, &DataWatch::changed, &m_question, &PreviewQuestion::again);
    connect(m_pane, &PreviewPane::swapRequested, this, [this] { m_forms.run->swapEnds(); });
    connect(m_pane, &PreviewPane::balanceRequested, this, [this](bool byWeights) {
        spec::RunSpec spec = m_state.spec;
        if (byWeights) spec.loss.params["classWeights"] = std::string("balanced");
        else spec.data.balance = 1;
        m_forms.shown->change(spec);
        refresh();
    });
    connect(m_pane, &PreviewPane::newWeightsRequested, this, [this] {
        m_beginning.from->chooseNewWeights();
        followCheckpoint();
        setFirst(m_forms.shown->first()); // the pressed button has disappeared
    });
    connect(&m_bench.catalog, &CatalogLoader::loaded, this, [this] {
        if (!showsProgram()) buildForm();
    });
    connect(&m_bench.catalog, &CatalogLoader::failed, this, [this](const QString& why) { m_waiting->setText(why); });
}

QPushButton* NewRunSheet::copyButton() const { return m_footer->copyButton(); }
QPushButton* NewRunSheet::saveButton() const { return m_footer->saveButton(); }
QPushButton* NewRunSheet::queueButton() const { return m_footer->queueButton(); }
QPushButton* NewRunSheet::startButton() const { return m_footer->startButton(); }
QString NewRunSheet::reason() const { return m_footer->reason(); }

void NewRunSheet::startFork(const RunItemPtr& source, const std::vector<store::CheckpointRow>& checkpoints, qint64 step,
                            bool isWhole) {
    m_beginning.origin = source->id;
    m_beginning.isWhole = isWhole;
    m_beginning.from = m_header->offerCheckpoints();
    m_beginning.from->offer(source->name, checkpoints, step);
    if (auto before = run::freshSpec(source->row)) m_before = *before;
    const auto spec = forkOf(*source).valueOr(spec::RunSpec{});
    m_beginning.length = lengthOf(spec);
    start(QString::fromStdString(spec::toJson(spec)), false);
}

Result<spec::RunSpec> NewRunSheet::forkOf(const RunItem& source) const {
    const auto* from = checkpoint();
    TY_ASSIGN(auto fork, from ? run::forkedSpec(source.row, *from) : run::freshSpec(source.row));
    return m_beginning.isWhole && from ? run::trainedOn(std::move(fork), from->epoch) : fork;
}

// The length of a fork follows its start until the user sets another.
void NewRunSheet::followCheckpoint() {
    const RunItemPtr source = m_bench.feed.run(m_beginning.origin);
    const auto fork = source ? forkOf(*source) : inputError("the run is gone");
    if (fork) {
        const auto before = std::exchange(m_beginning.length, lengthOf(*fork));
        if (m_forms.shown && lengthOf(m_state.spec) == before) {
            spec::RunSpec spec = m_state.spec;
            std::tie(spec.epochs, spec.steps) = m_beginning.length;
            m_forms.shown->change(spec);
        }
    }
    refresh();
}

const store::CheckpointRow* NewRunSheet::checkpoint() const {
    return m_beginning.from ? m_beginning.from->chosen() : nullptr;
}

void NewRunSheet::applyPreset(const Preset& preset) {
    if (!m_forms.run) return;
    m_forms.run->setSpec(presetRun(preset, catalog(), SystemStats::cores()));
    m_forms.run->offerOptimizer(); // nobody has chosen its settings one by one
    m_forms.run->takeAsUsual();
    refresh();
}

void NewRunSheet::refresh() {
    if (!m_forms.shown) return;
    m_state = m_forms.shown->read();
    judgeName();
    judgeLength();
    if (!showsProgram()) {
        m_pane->setDone(doneShare());
        m_pane->setState(m_state);
    } else {
        m_programPane->setState(m_state);
    }
    const auto* from = checkpoint();
    if (m_state.errors.isEmpty() && !showsProgram())
        m_question.ask(m_state.shown, from ? QString::fromStdString(from->path) : QString());
    else m_question.cancel();
    showActions(whatIsWrong());
    m_strip->setState(m_state);
    showChanges();
    keepDraft();
}

// Scrolls to a field, in a narrow sheet from the other page.
void NewRunSheet::goTo(QWidget* field) {
    if (!field) return;
    m_header->showSettings();
    m_formArea->ensureWidgetVisible(field, 0, Theme::current().px(48));
    if (field->focusPolicy() != Qt::NoFocus) field->setFocus(Qt::OtherFocusReason);
}

void NewRunSheet::judgeName() {
    m_state.spec.name = m_header->name().toStdString();
    bool refused = false;
    for (const auto& error : spec::validateFields(m_state.spec)) {
        if (error.path != "name") continue;
        m_state.errors.prepend(tr("Name %1").arg(QString::fromStdString(error.message)));
        m_state.unplaced << m_state.errors.front();
        refused = true;
    }
    m_header->markName(refused);
}

// A fork that would be over before its first step.
void NewRunSheet::judgeLength() {
    const auto* from = checkpoint();
    if (!from) return;
    const spec::RunSpec& spec = m_state.spec;
    QString why;
    if (spec.epochs && from->epoch >= static_cast<double>(*spec.epochs))
        why = tr("Length must exceed the checkpoint's %1 epochs").arg(digitsText(from->epoch, 6));
    else if (spec.steps && from->step >= *spec.steps)
        why = tr("Length must exceed the checkpoint's %1 steps").arg(static_cast<qlonglong>(from->step));
    if (why.isEmpty()) return;
    for (auto* list : {&m_state.errors, &m_state.unplaced}) *list << why;
}

// The part of its length that a fork has already trained.
double NewRunSheet::doneShare() const {
    const auto* from = checkpoint();
    if (!from) return 0;
    const spec::RunSpec& spec = m_state.spec;
    const double length = static_cast<double>(spec.epochs.value_or(spec.steps.value_or(0)));
    const double done = spec.epochs ? from->epoch : static_cast<double>(from->step);
    return length > 0 ? std::clamp(done / length, 0.0, 1.0) : 0;
}

// The reason that the run cannot start; empty: it can, as far as known.
QString NewRunSheet::whatIsWrong() {
    const QStringList& errors = m_state.errors;
    if (errors.size() > 1) return errors.first() + tr(" (and %1 more)").arg(errors.size() - 1);
    if (!errors.isEmpty()) return errors.first();
    if (m_state.slurm)
        if (const QString why = SlurmFields::whyNot(m_state.sweep, checkpoint() != nullptr); !why.isEmpty()) return why;
    m_watch.watch(m_question.refusal() ? QString::fromStdString(m_question.refusal()->where) : QString());
    if (showsProgram() || (!m_question.refusal() && m_pane->misfit().isEmpty())) return {};
    if (!m_question.refusal())
        return tr("The checkpoint does not fit; start with new weights, or restore the model's settings");
    const QString words = m_forms.run->showRefusal(*m_question.refusal(), m_question.samples());
    m_pane->setRefused(words, m_forms.run->firstFault() != nullptr);
    return words;
}

void NewRunSheet::showActions(const QString& why) {
    NewRunFooter::State state;
    state.isRight = m_state.errors.isEmpty();
    state.why = why;
    state.all = m_state.errors.join(QLatin1Char('\n'));
    const bool isRefused = m_question.refusal() && m_state.errors.isEmpty() && !m_state.slurm;
    state.faults = isRefused && m_forms.shown->firstFault() ? 1 : static_cast<int>(m_state.errors.size());
    const bool isMisfit = !showsProgram() && !m_pane->misfit().isEmpty();
    state.isSaidAbove = isRefused || (m_state.errors.isEmpty() && !m_state.slurm && isMisfit);
    if (!m_state.unplaced.isEmpty()) state.unplaced = m_state.unplaced.front();
    state.isSweep = m_state.sweeping;
    if (m_state.sweep && !spec::isOpenEnded(*m_state.sweep)) state.trials = m_state.trials;
    state.queues = m_state.home.isEmpty() && !m_state.slurm;
    state.isStarted = m_launched;
    m_footer->setState(state);
    m_header->setTitle(m_state.sweeping ? tr("New sweep") : m_beginning.origin.isEmpty() ? tr("New run") : tr("Fork"));
}

void NewRunSheet::showChanges() {
    if (!m_before) return;
    const RunItemPtr origin = m_beginning.origin.isEmpty() ? nullptr : m_bench.feed.run(m_beginning.origin);
    const auto changes = settingChanges(*m_before, m_state.spec, catalog());
    m_changes->setChanges(changes, origin ? origin->name : QString());
    QStringList paths;
    for (const auto& change : changes) paths << change.path;
    m_forms.shown->markChanged(paths);
}

void NewRunSheet::resetField(const QString& path) {
    m_forms.shown->change(withFieldReset(m_state.spec, *m_before, path));
    refresh();
    setFirst(m_forms.shown->first()); // the pressed button has disappeared
}

void NewRunSheet::restore(const RunDraft& draft) {
    const auto before = m_before; // for a fork, this stays
    m_beginning.file = draft.file;
    m_beginning.sweep = false;
    const auto file = readBeginning();
    if (file && file->run.program) startProgram();
    else if (m_forms.run) fill();
    m_before = before;
    refresh();
    setFirst(m_forms.shown->first());
}

void NewRunSheet::keepDraft() {
    if (m_launched || (m_state.sweeping && !m_state.sweep)) return; // keeps the last readable sweep
    m_draft->keep(QString::fromStdString(json()), m_beginning.origin);
}

void NewRunSheet::launch() {
    if (std::exchange(m_launched, true)) return;
    m_draft->forget();
    startButton()->setEnabled(false);
    const Destination to{m_state.home, m_state.slurm};
    if (m_state.sweep) {
        m_bench.actions.startSweep(namedSweep(), to);
    } else {
        run::StartOptions options;
        if (const auto* from = checkpoint()) options.resumeFrom = from->path;
        options.forkedFrom = m_beginning.origin.toStdString(); // even with new weights
        m_bench.actions.start(m_state.spec, options, to);
    }
    close();
}

// As a run of its own; the settings here are offered again the next time.
void NewRunSheet::launchHead() {
    if (m_launched || !m_state.errors.isEmpty() || m_question.refusal()) return;
    m_launched = true;
    run::StartOptions options;
    if (const auto* from = checkpoint()) options.resumeFrom = from->path;
    options.forkedFrom = m_beginning.origin.toStdString();
    m_bench.actions.start(run::quickHead(m_state.spec), options, {m_state.home, m_state.slurm});
    close();
}

void NewRunSheet::enqueue() {
    if (std::exchange(m_launched, true)) return;
    m_draft->forget();
    if (m_state.sweep) {
        m_bench.queue.add(namedSweep());
    } else {
        const auto* from = checkpoint();
        m_bench.queue.add(m_state.spec, {from ? from->path : std::string(), m_beginning.origin.toStdString()});
    }
    close();
}

spec::SweepSpec NewRunSheet::namedSweep() const {
    spec::SweepSpec sweep = *m_state.sweep;
    sweep.name = m_state.spec.name;
    return sweep;
}

std::string NewRunSheet::json() const {
    return m_state.sweep ? spec::toJson(namedSweep()) : spec::toJson(m_state.spec);
}

void NewRunSheet::copyCommand() {
    const std::string folder = m_bench.feed.workspace().root.string();
    const std::string command = showsProgram() && !m_state.sweep && !m_state.slurm
                                    ? programCommand(m_state, m_forms.program->words(), folder)
                                    : runCommand(m_state, json(), folder);
    QApplication::clipboard()->setText(QString::fromStdString(command));
    Q_EMIT m_bench.statusMessage(tr("Copied the command"), {});
}

void NewRunSheet::saveFile() {
    const FileQuestion question{.kind = FileQuestion::Kind::NewFile,
                                .title = m_state.sweeping ? tr("Save sweep file") : tr("Save run file"),
                                .filters = {tr("Run files (*.trainyard.json *.json)")},
                                .name = runFileName(m_header->name())};
    askForFiles(this, question, [this](const ChosenFiles& chosen) {
        const QString path = withRunFileSuffix(chosen.path());
        inBackground( // the sheet may be closed before the disk has answered
            &m_bench, [path, text = json()] { return writeFileAtomic(path.toStdString(), text); },
            [bench = &m_bench, path](Result<void> saved) {
                const QString done = tr("Saved %1").arg(path);
                Q_EMIT bench->statusMessage(saved ? done : QString::fromStdString(saved.error().text()), {});
            });
    });
}

void NewRunSheet::resizeEvent(QResizeEvent* event) {
    Sheet::resizeEvent(event);
    fitColumns();
}

// Whether the sheet is too narrow for settings and preview side by side.
bool NewRunSheet::showsOnePage() const { return width() < Theme::current().px(1040); }

void NewRunSheet::fitColumns() {
    const bool both = !showsOnePage();
    const Theme& theme = Theme::current();
    m_header->setBothPages(both);
    m_footer->setNarrow(!both);
    // It does not scroll sideways, so what the fields need at least is never cut.
    const int least =
        m_formArea->widget()->minimumSizeHint().width() + m_formArea->verticalScrollBar()->sizeHint().width();
    const int share = std::clamp(panel()->width() * 37 / 100, theme.px(kFormWidth), theme.px(kWideFormWidth));
    const int form = both ? std::max(share, least) : 0;
    m_formArea->setMinimumWidth(both ? form : theme.px(kFormWidth));
    m_formArea->setMaximumWidth(both ? form : theme.px(640)); // alone, in the middle
    m_formSide->setVisible(both || !m_header->showsPreview());
    m_formSide->setSizePolicy(both ? QSizePolicy::Fixed : QSizePolicy::Preferred, QSizePolicy::Preferred);
    m_paneSide->setVisible(both || m_header->showsPreview());
}

} // namespace trainyard::ui
