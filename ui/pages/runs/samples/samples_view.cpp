// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/samples/samples_view.h"

#include "engine/run/share/import_runs.h"
#include "ui/models/checkpoints/checkpoint_list.h"
#include "ui/models/text/format.h"
#include "ui/pages/runs/samples/class_scores.h"
#include "ui/pages/runs/samples/confusion_card.h"
#include "ui/pages/runs/samples/curves_card.h"
#include "ui/pages/runs/samples/sample_gallery.h"
#include "ui/pages/runs/samples/samples_toolbar.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/layout.h"

#include <QDragEnterEvent>
#include <QFileInfo>
#include <QJsonDocument>
#include <QMimeData>
#include <QScrollBar>
#include <QShortcut>
#include <QUrl>

namespace trainyard::ui {

namespace {

constexpr std::size_t kMostWrong = 48, kMostOfClass = 96;
constexpr int kLeastAbove = 300, kLeastScores = 160, kScoresAndCurves = 620; // design pixels

QStringList classNames(const run::Evaluation& evaluation) {
    QStringList names;
    for (const run::ClassScore& each : evaluation.classes) names << QString::fromStdString(each.name);
    return names;
}

// The mistakes of a class, largest loss first.
std::vector<run::Example> mistakesOf(const run::Evaluation& evaluation, int number) {
    std::vector<run::Example> mistakes;
    for (const run::Example& each : evaluation.examples)
        if (each.truth == number && each.isWrong() && mistakes.size() < kMostOfClass) mistakes.push_back(each);
    return mistakes;
}

// Drops that open the New run sheet are left to the window.
bool canBeGiven(const QMimeData& data) {
    const QList<QUrl> urls = data.urls();
    if (urls.isEmpty() || !urls.first().isLocalFile()) return data.hasUrls() || data.hasImage() || data.hasText();
    const QFileInfo file(urls.first().toLocalFile());
    return !file.isDir() && file.suffix() != QLatin1String("json") && file.suffix() != QLatin1String("pt");
}

} // namespace

SamplesView::SamplesView(Workbench& bench, QWidget* parent) : QWidget(parent), m_bench(bench) {
    build();
    listen();
    showRun();
}

SamplesView::~SamplesView() = default;

void SamplesView::build() {
    setAcceptDrops(true);
    auto* layout = column(this);
    m_toolbar = new SamplesToolbar;
    layout->addWidget(m_toolbar);
    m_empty = new EmptyPage;
    layout->addWidget(m_empty);
    auto* inside = new QWidget;
    auto* parts = column(inside, 12);
    setMargins(parts, 12, 8, 12, 12);
    m_banner = new Banner(Status::Error, {});
    m_banner->setClosable(true);
    m_banner->hide();
    parts->addWidget(m_banner);
    buildRows(parts);
    m_content = scrolled(inside, tr("Samples"));
    layout->addWidget(m_content, 1);
}

// Above: the confusion table with the samples of its cells. Below: the user's own sample and the classes.
void SamplesView::buildRows(QVBoxLayout* layout) {
    m_confusion = new ConfusionCard(m_bench);
    m_metrics = new Card(tr("Metrics"));
    m_metrics->body()->setContentsMargins(Theme::current().px(12), 0, Theme::current().px(12), Theme::current().px(8));
    m_metrics->body()->addWidget(new PairList);
    m_metrics->body()->addStretch();
    auto* unmeasured = new Card;
    m_unmeasured = unmeasured;
    setMargins(unmeasured->body(), 16, 16, 16, 16);
    unmeasured->body()->addStretch();
    m_gallery = new SampleGallery(m_answers);
    for (QWidget* part : std::initializer_list<QWidget*>{m_confusion, m_metrics, m_unmeasured})
        part->setMinimumHeight(Theme::current().px(kLeastAbove));
    auto* above = row(nullptr, 12);
    above->addWidget(m_confusion, 5);
    above->addWidget(m_metrics, 2);
    above->addWidget(m_unmeasured, 1);
    above->addWidget(m_gallery, 3);
    m_trial = new SampleTrial(m_answers);
    m_scores = new ClassScores;
    m_curves = new CurvesCard;
    m_scores->setMinimumHeight(Theme::current().px(kLeastScores));
    auto* below = new TurningRow(m_trial, new TurningRow(m_scores, m_curves, kScoresAndCurves), 0);
    below->setShares(4, 6);
    layout->addLayout(above, 4);
    layout->addWidget(below, 3);
}

void SamplesView::listen() {
    connect(&m_bench.selection, &RunSelection::currentChanged, this, &SamplesView::showRun);
    connect(&m_bench.drawn, &DrawnRuns::changed, this, &SamplesView::refresh);
    connect(&m_bench.catalog, &CatalogLoader::loaded, this, &SamplesView::refresh);
    connect(&m_file, &EvaluationWatch::changed, this, &SamplesView::refresh);
    connect(&m_bench.feed, &WorkspaceFeed::checkpointsChanged, this, [this](const QString& run) {
        if (m_bench.selection.isSelected(run) || run == m_run) refresh();
    });
    connect(&m_bench.feed, &WorkspaceFeed::runsChanged, this, [this](const RunsDelta& delta) {
        const QString current = m_bench.selection.current(); // which may have been chosen before it was known
        const auto own = [&](const RunItemPtr& run) { return run->id == current; };
        if (std::any_of(delta.runs.begin(), delta.runs.end(), own) || delta.removed.contains(m_run)) showRun();
    });
    connect(m_toolbar, &SamplesToolbar::choiceChanged, this, [this] {
        m_banner->hide(); // it was about the previous choice
        refresh();
    });
    connect(m_toolbar, &SamplesToolbar::secondChanged, this, &SamplesView::showModels);
    connect(m_toolbar, &SamplesToolbar::evaluateRequested, this, &SamplesView::evaluate);
    connect(m_confusion->chart(), &ConfusionChart::chosen, this,
            [this](const ConfusionCell& cell) { choosePlace(cell, -1); });
    connect(m_confusion->chart(), &ConfusionChart::released, this, [this] { choosePlace({}, -1); });
    connect(m_scores, &ClassScores::chosen, this, [this](int number) { choosePlace({}, number); });
    connect(m_gallery, &SampleGallery::filterCleared, this, [this] { choosePlace({}, -1); });
    connect(m_gallery, &SampleGallery::chosen, m_trial, &SampleTrial::ask);
    auto* paste = new QShortcut(QKeySequence::Paste, this);
    paste->setContext(Qt::WidgetWithChildrenShortcut);
    connect(paste, &QShortcut::activated, m_trial, &SampleTrial::paste);
}

void SamplesView::showRun() {
    const RunItemPtr run = m_bench.feed.run(m_bench.selection.current());
    const QString id = run ? run->id : QString();
    if (id != m_run) {
        m_run = id;
        m_cell.reset();
        m_class = -1;
        m_measurer.stop();
        m_banner->hide();
        m_trial->clear();
        m_toolbar->reset();
        m_file.setRunFolder(run ? std::filesystem::path(run->row.folder) : std::filesystem::path());
    }
    setLive();
    refresh();
}

void SamplesView::setLive() {
    const RunItemPtr run = m_bench.feed.run(m_run);
    m_file.setLive(isVisible() && run && run->active());
}

void SamplesView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    setLive();
    m_file.look();
    refresh();
}

void SamplesView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_file.setLive(false); // the bench may be gone already
}

const run::Evaluation* SamplesView::evaluation() const {
    return evaluationFor(m_toolbar->choice(), m_file.evaluations().get(), m_asked, m_bench.feed.checkpointsHere(m_run));
}

// While hidden, it asks the worker for nothing; showEvent() catches up.
void SamplesView::refresh() {
    if (!isVisible()) return;
    const RunItemPtr run = m_bench.feed.run(m_run);
    if (!run && !m_bench.feed.loaded()) return showEmpty({}, {});
    if (!run) return showEmpty(tr("No run selected"), tr("Select a run in the table to see what it gets wrong."));
    if (const auto source = run::importSource(run->row))
        return showEmpty(
            tr("An imported run"),
            tr("It was imported from %1, with its curves but without its model, so there is nothing to evaluate.")
                .arg(QString::fromStdString(source->path)));
    if (!run->home.isHere() && m_bench.feed.checkpointsHere(m_run).empty())
        return showEmpty(tr("Its model is on %1").arg(run->home.host),
                         tr("Fetch one of its checkpoints on the Model tab to see what it gets wrong and to try it."));
    refreshCheckpoints(*run);
    const run::Evaluation* known = evaluation();
    if (!known && !m_file.isKnown()) return showEmpty({}, {}); // it is being read
    if (!known && m_bench.feed.checkpointsHere(m_run).empty()) {
        if (!m_file.problem().isEmpty()) return showEmpty(tr("The evaluation cannot be read"), m_file.problem());
        if (run->active())
            return showEmpty(tr("No validation yet"), tr("The confusion table appears after the first validation. You "
                                                         "can try samples from the first checkpoint on."));
        return showEmpty(
            tr("No checkpoint"),
            tr("This run ended before its first validation and its first checkpoint, so there is no model to try."));
    }
    m_empty->hide();
    m_toolbar->show();
    m_content->show();
    m_trial->setTask(known ? std::optional(known->task) : std::nullopt);
    showModels();
    if (known) showEvaluation(*known);
    else showNothingMeasured();
}

void SamplesView::showEmpty(const QString& what, const QString& why) {
    m_toolbar->hide();
    m_content->hide();
    if (const auto* shown = m_empty->state(); !shown || shown->accessibleDescription() != why)
        m_empty->setState(new EmptyState(what, why));
    m_empty->show();
}

void SamplesView::refreshCheckpoints(const RunItem& run) {
    QList<OtherCheckpoint> others;
    for (const QString& id : m_bench.drawn.runs()) {
        const RunItemPtr other = id == m_run ? nullptr : m_bench.feed.run(id);
        const auto* best = other ? store::defaultCheckpoint(m_bench.feed.checkpointsHere(id)) : nullptr;
        if (best)
            others << OtherCheckpoint{QString::fromStdString(best->path),
                                      other->name + QStringLiteral(", ") + checkpointTitle(*best), other->name};
    }
    const auto written = m_file.evaluations();
    m_toolbar->setCheckpoints(m_bench.feed.checkpointsHere(m_run), run.checkpointSeries, written && written->validated,
                              others);
    m_toolbar->setHasTest(mayHaveTest(run));
    m_toolbar->setEvaluating(m_measurer.isBusy(), !m_bench.feed.checkpointsHere(m_run).empty());
}

// As far as known: a folder may have its own test images, which the run evaluates at its end.
bool SamplesView::mayHaveTest(const RunItem& run) const {
    const auto written = m_file.evaluations();
    if (written && !written->tests.empty()) return true;
    const auto catalog = m_bench.catalog.catalog();
    const auto* entry = catalog ? spec::Catalog::find(catalog->datasets, run.dataset.toStdString()) : nullptr;
    if (!entry || !entry->find("test")) return true; // it has its own test samples
    if (run.settings.value(QStringLiteral("dataset.params.test")).toDouble() > 0) return true;
    return entry->find("folder") && run.status != wire::RunStatus::Finished;
}

void SamplesView::showModels() {
    const auto* first = checkpointFor(m_toolbar->choice(), m_bench.feed.checkpointsHere(m_run));
    m_trial->setModels(first ? AskedModel{QString::fromStdString(first->path), checkpointTitle(*first)} : AskedModel{},
                       m_toolbar->second());
}

void SamplesView::showEvaluation(const run::Evaluation& evaluation) {
    m_unmeasured->hide();
    const bool classes = evaluation.task == spec::TaskKind::Classification;
    m_scores->setVisible(!evaluation.classes.empty());
    m_scores->setEvaluation(evaluation, evaluationSummary(evaluation));
    m_confusion->setVisible(classes && !evaluation.confusion.empty());
    m_metrics->setVisible(!m_confusion->isVisibleTo(m_content));
    const RunItemPtr run = m_bench.feed.run(m_run);
    m_confusion->setEvaluation(evaluation,
                               tr("Confusion of %1, %2 samples, step %3")
                                   .arg(run ? run->name : QString(), QLatin1String(partWord(m_toolbar->choice().part)),
                                        countText(static_cast<double>(evaluation.step))));
    m_curves->setVisible(m_curves->setEvaluation(
        evaluation,
        tr("Curves of %1, step %2").arg(run ? run->name : QString(), countText(static_cast<double>(evaluation.step)))));
    showMetrics(evaluation);
    showGallery(evaluation);
    m_gallery->show();
}

void SamplesView::showMetrics(const run::Evaluation& evaluation) {
    QList<PairList::Pair> pairs;
    for (const auto& [name, value] : evaluation.metrics)
        pairs << PairList::Pair{seriesTitle(QString::fromStdString(name)),
                                name == "samples" ? countText(value) : metricText(value), exactText(value)};
    m_metrics->findChild<PairList*>()->setPairs(pairs);
    const bool tooMany = evaluation.task == spec::TaskKind::Classification && evaluation.confusion.empty();
    m_metrics->setNote(tooMany ? tr("a confusion table holds at most 1,000 classes") : QString());
}

void SamplesView::showNothingMeasured() {
    for (QWidget* part : std::initializer_list<QWidget*>{m_scores, m_confusion, m_curves, m_metrics, m_gallery})
        part->hide();
    const bool busy = m_measurer.isBusy();
    const QString what = busy ? tr("Evaluating…") : tr("Not evaluated yet");
    if (const auto* shown = m_unmeasured->findChild<EmptyState*>(); !shown || shown->accessibleName() != what) {
        delete shown;
        auto* state = new EmptyState(what,
                                     busy ? tr("The worker evaluates the checkpoint; this may take a while.")
                                          : tr("The run evaluates its validation samples as it trains, and the test "
                                               "samples at its end. You can evaluate anything else here."),
                                     busy ? QString() : tr("Evaluate"), QStringLiteral("refresh"));
        connect(state, &EmptyState::triggered, this, &SamplesView::evaluate);
        static_cast<Card*>(m_unmeasured)->body()->insertWidget(0, state); // its lines stay together
    }
    m_unmeasured->show();
}

void SamplesView::choosePlace(std::optional<ConfusionCell> cell, int number) {
    m_cell = cell;
    m_class = number;
    m_confusion->setCurrent(cell);
    m_scores->setCurrent(cell ? cell->truth : number);
    m_curves->setCurrent(cell ? cell->truth : number);
    if (const run::Evaluation* known = evaluation()) showGallery(*known);
}

void SamplesView::showGallery(const run::Evaluation& evaluation) {
    const auto* checkpoint = checkpointFor(m_toolbar->choice(), m_bench.feed.checkpointsHere(m_run));
    GalleryContent content{.classes = classNames(evaluation),
                           .run = m_run,
                           .part = m_toolbar->choice().part,
                           .checkpoint = checkpoint ? QString::fromStdString(checkpoint->path) : QString()};
    const auto count = static_cast<int>(evaluation.confusion.size());
    if (m_cell && (m_cell->truth >= count || m_cell->predicted >= count)) m_cell.reset();
    if (m_cell) {
        content.examples = evaluation.cell(m_cell->truth, m_cell->predicted);
        content.filtered = true;
        const bool right = m_cell->truth == m_cell->predicted;
        const QString truth = content.classes.value(m_cell->truth);
        content.title = right ? tr("Least sure") : tr("Confused");
        const auto all =
            evaluation.confusion[static_cast<std::size_t>(m_cell->truth)][static_cast<std::size_t>(m_cell->predicted)];
        content.note = tr("%1 of %2, %3")
                           .arg(content.examples.size())
                           .arg(countText(static_cast<double>(all)),
                                right ? truth : tr("%1 → %2").arg(truth, content.classes.value(m_cell->predicted)));
    } else if (m_class >= 0 && m_class < content.classes.size() && evaluation.task == spec::TaskKind::Classification) {
        content.examples = mistakesOf(evaluation, m_class);
        content.filtered = true;
        content.title = tr("Mistakes");
        content.note = tr("%1 of %2").arg(content.examples.size()).arg(content.classes[m_class]);
    } else {
        content.examples = evaluation.mostWrong(kMostWrong);
        content.title = evaluation.task == spec::TaskKind::Classification ? tr("Most wrong") : tr("Largest losses");
        content.note =
            content.examples.empty() ? tr("no mistakes, or this run kept no samples") : tr("the largest loss first");
    }
    m_gallery->setContent(std::move(content));
}

void SamplesView::evaluate() {
    if (m_measurer.isBusy()) {
        m_measurer.stop();
        return refresh();
    }
    const auto* checkpoint = checkpointFor(m_toolbar->choice(), m_bench.feed.checkpointsHere(m_run));
    if (checkpoint == nullptr) return;
    const EvaluationChoice choice{checkpoint->path, m_toolbar->choice().part};
    m_banner->hide();
    m_measurer.ask({{QStringLiteral("do"), QStringLiteral("evaluate")},
                    {QStringLiteral("checkpoint"), QString::fromStdString(choice.checkpoint)},
                    {QStringLiteral("part"), QLatin1String(partWord(choice.part))}},
                   this, [this, choice](Result<WorkerAnswer> answer) { evaluated(choice, std::move(answer)); });
    refresh();
}

void SamplesView::evaluated(const EvaluationChoice& choice, Result<WorkerAnswer> answer) {
    m_measurer.stop(); // frees its model and dataset
    Result<run::Evaluation> measured =
        answer ? run::parseEvaluation(QJsonDocument(answer->body).toJson(QJsonDocument::Compact).toStdString(),
                                      "the worker's answer")
               : Result<run::Evaluation>(answer.error());
    if (!measured) {
        m_banner->setMessage(Status::Error, tr("The checkpoint was not evaluated"),
                             QString::fromStdString(measured.error().text()));
        m_banner->appear();
        return refresh();
    }
    m_asked.insert_or_assign(choice, std::move(*measured));
    m_toolbar->setChoice(choice); // show the result, whatever is chosen by now
}

void SamplesView::showCheckpoint(const QString& file) {
    m_toolbar->setChoice({file.toStdString(), m_toolbar->choice().part});
}

void SamplesView::dragEnterEvent(QDragEnterEvent* event) {
    if (!m_content->isVisible() || !canBeGiven(*event->mimeData())) return;
    event->acceptProposedAction();
    m_trial->setInviting(true);
}

void SamplesView::dragLeaveEvent(QDragLeaveEvent*) { m_trial->setInviting(false); }

void SamplesView::dropEvent(QDropEvent* event) {
    m_trial->setInviting(false);
    event->acceptProposedAction();
    m_content->verticalScrollBar()->setValue(0);
    m_trial->take(*event->mimeData());
}

} // namespace trainyard::ui
