// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/inspector/inspector.h"

#include "engine/run/mirror/mirror_copy.h"
#include "engine/run/record/run_score.h"
#include "engine/run/record/series/system_series.h"
#include "ui/forms/fields/field_title.h"
#include "ui/models/runs/test_metrics.h"
#include "ui/models/text/engine_text.h"
#include "ui/models/text/format.h"
#include "ui/pages/runs/inspector/inspector_sections.h"
#include "ui/pages/runs/inspector/run_header.h"
#include "ui/pages/shared/run_menu.h"
#include "ui/theme/icon.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/marks/status_chip.h"

#include <QStackedLayout>

namespace trainyard::ui {

Inspector::Inspector(Workbench& bench, QWidget* parent) : Surface(SurfaceColor::Panel, NoEdge, parent), m_bench(bench) {
    build();
    connect(&bench.selection, &RunSelection::currentChanged, this, &Inspector::showRun);
    connect(&bench.selection, &RunSelection::selectedChanged, this, &Inspector::showRun);
    connect(&bench.feed, &WorkspaceFeed::runsChanged, this, &Inspector::showRun);
    connect(&bench.feed, &WorkspaceFeed::stateChanged, this, &Inspector::showLive);
    connect(&bench.feed, &WorkspaceFeed::checkpointsChanged, this, [this](const QString& run) {
        if (m_run && run == m_run->id) showCheckpoints();
    });
    connect(&bench.feed.series(), &SeriesStore::changed, this, [this](const QString& run) {
        if (m_run && run == m_run->id && !m_valuesTimer.isActive()) m_valuesTimer.start();
    });
    m_valuesTimer.setSingleShot(true);
    m_valuesTimer.setInterval(250); // digits that change faster cannot be read
    connect(&m_valuesTimer, &QTimer::timeout, this, [this] {
        if (m_run) showValues(*m_run);
    });
    showRun();
}

void Inspector::build() {
    m_stack = new QStackedLayout(this);
    auto* empty = new QWidget;
    auto* emptyLayout = column(empty);
    setMargins(emptyLayout, 16, 16, 16, 16);
    m_empty = new EmptyState(tr("No run selected"), tr("Select a run to see its progress, checkpoints and workers."));
    emptyLayout->addWidget(m_empty);
    emptyLayout->addStretch();

    auto* content = new QWidget;
    auto* layout = column(content);
    m_header = new RunHeader(m_bench);
    buildOrigin();
    m_differsSection = new InspectorSection(QString());
    m_differences = new DifferenceList;
    m_differsSection->body()->addWidget(m_differences);
    m_checkpointsSection = new InspectorSection(tr("Checkpoints"));
    auto* exporter = iconButton(QStringLiteral("export"), tr("Export the best checkpoint, or the points"));
    exporter->setFixedSize(Theme::current().px(22), Theme::current().px(22));
    m_checkpointsSection->header()->addWidget(exporter);
    connect(exporter, &QToolButton::clicked, this, [this, exporter] {
        if (m_run) {
            exportMenu(store::defaultCheckpoint(m_bench.feed.checkpoints(m_run->id)),
                       exporter->mapToGlobal(QPoint(0, exporter->height())));
        }
    });
    m_checkpointRows = new QWidget;
    column(m_checkpointRows);
    m_checkpointsSection->body()->addWidget(m_checkpointRows);
    m_testsSection = new InspectorSection(tr("Test samples"));
    m_tests = new PairList;
    m_testsSection->body()->addWidget(m_tests);
    m_workersSection = new InspectorSection(tr("Workers"));
    m_workers = new WorkerList;
    m_workersSection->body()->addWidget(m_workers);
    m_valuesSection = new InspectorSection(tr("Last values"));
    m_values = new PairList;
    m_valuesSection->body()->addWidget(m_values);
    m_tagsSection = new InspectorSection(tr("Tags"));
    auto* tagRow = new QWidget;
    m_tags = row(tagRow, 6);
    m_tagsSection->body()->addWidget(tagRow);
    buildNotes();
    for (QWidget* part : std::initializer_list<QWidget*>{m_header, m_originSection, m_differsSection,
                                                         m_checkpointsSection, m_testsSection, m_workersSection,
                                                         m_valuesSection, m_notesSection, m_tagsSection}) {
        layout->addWidget(part);
    }
    layout->addStretch();
    m_stack->addWidget(empty);
    m_stack->addWidget(scrolled(content, tr("Inspector")));
}

void Inspector::buildNotes() {
    m_notesSection = new InspectorSection(tr("Notes"));
    m_notes = new Label(QString(), TextRole::Body);
    m_notes->setWordWrap(true);
    m_notes->setTextFormat(Qt::PlainText);
    m_notes->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_notes->setAccessibleName(tr("Notes of the run"));
    m_editNotes = button(QString(), QStringLiteral("edit"), "flat");
    connect(m_editNotes, &QPushButton::clicked, this, [this] {
        if (m_run) action("notes").act({m_bench, m_run, window()});
    });
    m_notesSection->body()->addWidget(m_notes);
    auto* buttons = row(nullptr);
    buttons->addWidget(m_editNotes);
    buttons->addStretch();
    m_notesSection->body()->addLayout(buttons);
}

// What a fork comes from. A trial's sweep has a page of its own.
void Inspector::buildOrigin() {
    m_originSection = new InspectorSection(tr("Fork of"));
    auto* lineage = iconButton(QStringLiteral("lineage"), tr("Lineage"));
    lineage->setFixedSize(Theme::current().px(22), Theme::current().px(22));
    m_originSection->header()->addWidget(lineage);
    connect(lineage, &QToolButton::clicked, this, [this] {
        if (m_run) Q_EMIT m_bench.lineageRequested(m_run->id);
    });
    m_parent = button(QString(), QStringLiteral("fork"), "flat");
    connect(m_parent, &QPushButton::clicked, this, [this] {
        if (m_run) m_bench.selection.show(QString::fromStdString(m_run->row.forkedFrom));
    });
    auto* line = row(nullptr);
    line->addWidget(m_parent);
    line->addStretch();
    m_originSection->body()->addLayout(line);
}

void Inspector::showOrigin(const RunItem& run) {
    m_originSection->setVisible(!run.row.forkedFrom.empty());
    if (run.row.forkedFrom.empty()) return;
    const RunItemPtr parent = m_bench.feed.run(QString::fromStdString(run.row.forkedFrom));
    m_originSection->setNote(
        run.row.forkedStep < 0 ? QString() : tr("step %1").arg(countText(static_cast<double>(run.row.forkedStep))));
    m_parent->setText(parent ? parent->name : tr("a run that is archived or deleted"));
    m_parent->setEnabled(parent != nullptr);
    m_parent->setToolTip(parent ? tr("Show the run that it was forked from") : QString());
}

void Inspector::showNotes(const RunItem& run) {
    const QString notes = QString::fromStdString(run.row.notes);
    m_notes->setText(notes);
    m_notes->setVisible(!notes.isEmpty());
    m_editNotes->setText(notes.isEmpty() ? tr("Add notes") : tr("Edit"));
}

void Inspector::showRun() {
    const RunItemPtr run = m_bench.feed.run(m_bench.selection.current());
    const bool other = !run || !m_run || run->id != m_run->id;
    m_run = run;
    m_empty->setVisible(!m_bench.feed.runs().empty()); // where there is none yet, the page says so once
    m_stack->setCurrentIndex(run ? 1 : 0);
    if (!run) return;
    m_header->setRun(run);
    showOrigin(*run);
    showDifferences(*run);
    showTests(*run);
    showLive(run->id);
    showValues(*run);
    showTags(*run);
    showNotes(*run);
    if (other) showCheckpoints();
}

void Inspector::showLive(const QString& run) {
    if (!m_run || run != m_run->id) return;
    m_header->refresh();
    const auto& workers = m_bench.feed.workers(run);
    m_workersSection->setVisible(!workers.empty());
    m_workers->setWorkers(workers);
}

// How many, and what they take; the tooltip says what they will take, which has no room beside it.
QString Inspector::checkpointNote(const std::vector<store::CheckpointRow>& rows) const {
    double bytes = 0;
    for (const auto& row : rows) bytes += static_cast<double>(row.bytes);
    const auto forecast = m_bench.feed.diskForecast(m_run->id);
    m_checkpointsSection->setToolTip(forecast ? sentence(engineSentence(run::describe(*forecast))) : QString());
    const QString note = QStringLiteral("%1, %2").arg(rows.size()).arg(bytesText(bytes));
    return m_run->isAway() ? tr("%1, on %2").arg(note, m_run->home) : note;
}

void Inspector::showCheckpoints() {
    const auto& rows = m_bench.feed.checkpoints(m_run->id);
    m_checkpointsSection->setNote(rows.empty() && m_run->isAway() ? tr("on %1").arg(m_run->home)
                                  : rows.empty()                  ? tr("none yet")
                                                                  : checkpointNote(rows));
    auto* layout = m_checkpointRows->layout();
    while (auto* item = layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    // The best first, then the newest.
    std::vector<const store::CheckpointRow*> ordered;
    for (const auto& row : rows) ordered.push_back(&row);
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const auto* a, const auto* b) { return a->best != b->best ? a->best : a->step > b->step; });
    for (const auto* checkpoint : ordered) {
        auto* entry = new CheckpointRowButton(*checkpoint, m_run->scoreSeries);
        if (m_run->isAway()) entry->setPlace(m_run->home, run::isFetched(*checkpoint));
        connect(entry, &QAbstractButton::clicked, this, [this, copy = *checkpoint, entry] {
            exportMenu(&copy, entry->mapToGlobal(QPoint(0, entry->height())));
        });
        layout->addWidget(entry);
        entry->show();
    }
    layout->activate(); // at once: a run may save more often than the window is laid out
    m_header->refresh();
}

void Inspector::exportMenu(const store::CheckpointRow* checkpoint, const QPoint& at) {
    ActionTarget target{m_bench, m_run, window()};
    if (checkpoint) target.checkpoint = *checkpoint;
    showCheckpointMenu(target, at);
}

void Inspector::showTests(const RunItem& run) {
    const QString shown = run.id + QLatin1Char('\n') + QString::fromUtf8(wire::toString(run.status));
    if (shown == m_testsShown) return;
    m_testsShown = shown;
    QList<PairList::Pair> pairs;
    if (!run.active()) {
        const auto metrics = testMetrics(run.row.folder);
        for (const auto& metric : metrics) {
            if (metric.metric == QLatin1String("samples")) {
                m_testsSection->setNote(countText(metric.value));
                continue;
            }
            if (metric.checkpoint != metrics.first().checkpoint && metric.step == metrics.first().step)
                continue; // the best checkpoint is the last one: the same metrics
            const QString tip = tr("%1, checkpoint of step %2").arg(exactText(metric.value)).arg(metric.step);
            pairs << PairList::Pair{QStringLiteral("%1, %2").arg(metric.metric, metric.checkpoint),
                                    metricText(metric.value), tip};
        }
    }
    m_testsSection->setVisible(!pairs.isEmpty());
    m_tests->setPairs(pairs);
}

// As the New run sheet calls its fields; by the run file's word until the catalog is there.
QStringList Inspector::titlesOf(const QList<Difference>& differences, const RunItem& run) const {
    const auto catalog = m_bench.catalog.catalog();
    const auto spec = spec::parseRunSpec(run.row.specJson);
    QStringList titles;
    for (const Difference& each : differences) {
        const QString title = catalog && spec ? fieldTitle(each.path, *spec, *catalog) : each.path;
        titles << (title == each.path ? shortPath(each.path) : title);
    }
    return titles;
}

void Inspector::showDifferences(const RunItem& run) {
    RunItemPtr baseline;
    for (const QString& id : m_bench.selection.selected()) {
        if (id != run.id) {
            baseline = m_bench.feed.run(id);
            break;
        }
    }
    m_differsSection->setVisible(baseline != nullptr);
    if (baseline) {
        m_differsSection->setTitle(tr("Differs from %1").arg(baseline->name));
        m_differsSection->setNote(tr("baseline"));
        const QList<Difference> found = differences(*baseline, run);
        m_differences->setDifferences(found, titlesOf(found, run));
    }
}

void Inspector::showValues(const RunItem& run) {
    QMap<QString, double> values;
    for (const auto& summary : run.series)
        if (!run::isSystemSeries(summary.series) && !run::isSingleTest(summary.series, summary.count))
            values.insert(QString::fromStdString(summary.series), summary.last);
    const SeriesStore& live = m_bench.feed.series(); // newer than the summaries
    for (const QString& name : live.names(run.id))
        if (const SeriesData* points = live.find(run.id, name);
            points && !run::isSystemSeries(name.toStdString()) &&
            !run::isSingleTest(name.toStdString(), static_cast<std::int64_t>(points->size())))
            values.insert(name, points->value(points->size() - 1));
    QList<PairList::Pair> pairs;
    for (auto it = values.begin(); it != values.end(); ++it) {
        pairs << PairList::Pair{it.key(), metricText(it.value()),
                                it.key() + QLatin1String("  ") + exactText(it.value())};
    }
    m_valuesSection->setVisible(!pairs.isEmpty());
    m_values->setPairs(pairs);
}

void Inspector::showTags(const RunItem& run) {
    const QString shown = run.id + QLatin1Char('\n') + run.tags.join(QLatin1Char(' '));
    if (shown == m_tagsShown) return; // rebuilding would take the focus from the button
    m_tagsShown = shown;
    while (auto* item = m_tags->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const QString& tag : run.tags) m_tags->addWidget(new StatusChip(tag, Status::Neutral));
    auto* add = button(run.tags.isEmpty() ? tr("Add tags") : tr("Edit"), QStringLiteral("tag"), "flat");
    connect(add, &QPushButton::clicked, this, [this] {
        if (m_run) action("tags").act({m_bench, m_run, window()});
    });
    m_tags->addWidget(add);
    m_tags->addStretch();
}

} // namespace trainyard::ui
