// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/inspector/run_sections.h"

#include "engine/run/record/run_score.h"
#include "engine/run/record/series/source_series.h"
#include "ui/forms/fields/field_title.h"
#include "ui/models/runs/test_metrics.h"
#include "ui/models/text/engine_text.h"
#include "ui/models/text/format.h"
#include "ui/pages/runs/inspector/program_section.h"
#include "ui/pages/runs/inspector/sources_section.h"
#include "ui/pages/shared/run_menu.h"
#include "ui/theme/icon.h"
#include "ui/widgets/marks/status_chip.h"
#include "ui/widgets/wrap_layout.h"

#include <QCoreApplication>

#include <algorithm>

namespace trainyard::ui {

void RunSection::setRun(const RunItemPtr& run) {
    m_run = run;
    if (run) showRun(*run);
}

namespace {

constexpr int kValuesMs = 250; // faster digits cannot be read

// A button at the right of a section's heading.
QToolButton* headerButton(InspectorSection& section, const QString& icon, const QString& name) {
    auto* made = iconButton(icon, name);
    made->setFixedSize(Theme::current().px(22), Theme::current().px(22));
    section.header()->addWidget(made);
    return made;
}

void clearLayout(QLayout& layout) {
    while (auto* item = layout.takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

// The parent of a fork. A trial's sweep has a page of its own.
class OriginSection : public RunSection {
    Q_DECLARE_TR_FUNCTIONS(trainyard::ui::Inspector)
public:
    explicit OriginSection(Workbench& bench)
        : RunSection(bench, tr("Fork of")), m_parent(button(QString(), QStringLiteral("fork"), "flat")) {
        connect(headerButton(*this, QStringLiteral("lineage"), tr("Lineage")), &QToolButton::clicked, this, [this] {
            if (m_run) Q_EMIT m_bench.lineageRequested(m_run->id);
        });
        connect(m_parent, &QPushButton::clicked, this, [this] {
            if (m_run) m_bench.selection.show(QString::fromStdString(m_run->row.forkedFrom));
        });
        auto* line = row(nullptr);
        line->addWidget(m_parent);
        line->addStretch();
        body()->addLayout(line);
    }

private:
    void showRun(const RunItem& run) override {
        setVisible(!run.row.forkedFrom.empty());
        if (run.row.forkedFrom.empty()) return;
        const RunItemPtr parent = m_bench.feed.run(QString::fromStdString(run.row.forkedFrom));
        setNote(run.row.forkedStep < 0 ? QString()
                                       : tr("step %1").arg(countText(static_cast<double>(run.row.forkedStep))));
        m_parent->setText(parent ? parent->name : tr("a run that is archived or deleted"));
        m_parent->setEnabled(parent != nullptr);
        m_parent->setToolTip(parent ? tr("Show the run it was forked from") : QString());
    }

    QPushButton* m_parent;
};

// The settings that differ from those of the other selected run.
class DiffersSection : public RunSection {
    Q_DECLARE_TR_FUNCTIONS(trainyard::ui::Inspector)
public:
    explicit DiffersSection(Workbench& bench) : RunSection(bench, QString()), m_differences(new DifferenceList) {
        body()->addWidget(m_differences);
    }

private:
    void showRun(const RunItem& run) override {
        RunItemPtr baseline;
        for (const QString& id : m_bench.selection.selected()) {
            if (id != run.id) {
                baseline = m_bench.feed.run(id);
                break;
            }
        }
        setVisible(baseline != nullptr);
        if (!baseline) return;
        setTitle(tr("Differs from %1").arg(baseline->name));
        setNote(tr("baseline"));
        const QList<Difference> found = differences(*baseline, run);
        m_differences->setDifferences(found, titlesOf(found, run));
    }

    // Titles as in the New run sheet; the run file's keys until the catalog has arrived.
    QStringList titlesOf(const QList<Difference>& differences, const RunItem& run) const {
        const auto catalog = m_bench.catalog.catalog();
        const auto spec = spec::parseRunSpec(run.row.specJson);
        QStringList titles;
        for (const Difference& each : differences) {
            const QString title = catalog && spec ? fieldTitle(each.path, *spec, *catalog) : each.path;
            titles << (title == each.path ? shortPath(each.path) : title);
        }
        return titles;
    }

    DifferenceList* m_differences;
};

constexpr std::size_t kMostCheckpoints = 8; // that are listed here

class CheckpointsSection : public RunSection {
    Q_DECLARE_TR_FUNCTIONS(trainyard::ui::Inspector)
public:
    explicit CheckpointsSection(Workbench& bench) : RunSection(bench, tr("Checkpoints")), m_rows(new QWidget) {
        auto* exporter = headerButton(*this, QStringLiteral("export"), tr("Export the best checkpoint, or the points"));
        connect(exporter, &QToolButton::clicked, this, [this, exporter] {
            if (m_run) showMenu(store::defaultCheckpoint(m_bench.feed.checkpoints(m_run->id)), *exporter);
        });
        column(m_rows);
        body()->addWidget(m_rows);
        connect(&bench.feed, &WorkspaceFeed::checkpointsChanged, this, [this](const QString& run) {
            if (isOf(run)) showRun(*m_run);
        });
    }

    // The rows are rebuilt only for another run.
    void setRun(const RunItemPtr& run) override {
        if (run && isOf(run->id)) m_run = run;
        else RunSection::setRun(run);
    }

private:
    void showRun(const RunItem& run) override {
        const auto& rows = m_bench.feed.checkpoints(run.id);
        const QString none = run.home.on({});
        setNote(!rows.empty() ? noteOf(rows) : !none.isEmpty() ? none : run.active() ? tr("none yet") : tr("none"));
        auto* layout = m_rows->layout();
        clearLayout(*layout);
        // The best first, then the newest.
        std::vector<const store::CheckpointRow*> ordered;
        for (const auto& row : rows) ordered.push_back(&row);
        std::stable_sort(ordered.begin(), ordered.end(),
                         [](const auto* a, const auto* b) { return a->best != b->best ? a->best : a->step > b->step; });
        const std::size_t more = ordered.size() > kMostCheckpoints + 1 ? ordered.size() - kMostCheckpoints : 0;
        ordered.resize(ordered.size() - more);
        for (const auto* checkpoint : ordered) {
            auto* entry = new CheckpointRowButton(*checkpoint, run.checkpointSeries);
            entry->setHome(run.home);
            connect(entry, &QAbstractButton::clicked, this,
                    [this, copy = *checkpoint, entry] { showMenu(&copy, *entry); });
            layout->addWidget(entry);
            entry->show();
        }
        if (more > 0) addMore(static_cast<int>(more));
        layout->activate(); // at once: a run may save more often than Qt lays out the window
    }

    // A program may save thousands.
    void addMore(int count) {
        auto* more = button(tr("%n more…", nullptr, count), {}, "flat");
        more->setToolTip(tr("All of them are on the Model tab"));
        connect(more, &QPushButton::clicked, this, [this] { act(action("model"), {m_bench, m_run, window()}); });
        m_rows->layout()->addWidget(more);
        more->show();
    }

    // Their number and size; the tooltip adds the forecast, which has no room here.
    QString noteOf(const std::vector<store::CheckpointRow>& rows) {
        double bytes = 0;
        for (const auto& row : rows) bytes += static_cast<double>(row.bytes);
        const auto forecast = m_bench.feed.diskForecast(m_run->id);
        setToolTip(forecast ? sentence(engineSentence(run::describe(*forecast))) : QString());
        const QString note = QStringLiteral("%1, %2").arg(rows.size()).arg(bytesText(bytes));
        return m_run->home.on(note);
    }

    void showMenu(const store::CheckpointRow* checkpoint, const QWidget& below) {
        ActionTarget target{m_bench, m_run, window()};
        if (checkpoint) target.checkpoint = *checkpoint;
        showCheckpointMenu(target, below.mapToGlobal(QPoint(0, below.height())));
    }

    QWidget* m_rows;
};

class TestsSection : public RunSection {
    Q_DECLARE_TR_FUNCTIONS(trainyard::ui::Inspector)
public:
    explicit TestsSection(Workbench& bench) : RunSection(bench, tr("Test samples")), m_pairs(new PairList) {
        body()->addWidget(m_pairs);
    }

private:
    void showRun(const RunItem& run) override {
        const QString shown = run.id + QLatin1Char('\n') + QString::fromUtf8(wire::toString(run.status));
        if (shown == m_shown) return;
        m_shown = shown;
        QList<TestMetric> metrics = run.active() ? QList<TestMetric>{} : testMetrics(run.row.folder);
        if (!metrics.isEmpty()) // the best checkpoint may be the last one: the same metrics
            metrics.removeIf([first = metrics.first()](const TestMetric& each) {
                return each.checkpoint != first.checkpoint && each.step == first.step;
            });
        std::stable_sort(metrics.begin(), metrics.end(), [](const TestMetric& a, const TestMetric& b) {
            return std::pair(a.checkpoint, seriesPlace(a.metric)) < std::pair(b.checkpoint, seriesPlace(b.metric));
        });
        const bool isOne = metrics.isEmpty() || metrics.first().checkpoint == metrics.last().checkpoint;
        QList<PairList::Pair> pairs;
        for (const auto& metric : std::as_const(metrics)) {
            if (metric.metric == QLatin1String("samples")) {
                setNote(isOne ? tr("%1, best checkpoint").arg(countText(metric.value)) : countText(metric.value));
                continue;
            }
            if (metric.metric == QLatin1String("accuracyHigh")) continue; // told with the lower one
            const QString tip = tr("%1, checkpoint of step %2").arg(exactText(metric.value)).arg(metric.step);
            const auto high = std::find_if(metrics.cbegin(), metrics.cend(), [&](const TestMetric& each) {
                return each.checkpoint == metric.checkpoint && each.metric == QLatin1String("accuracyHigh");
            });
            const bool isInterval = metric.metric == QLatin1String("accuracyLow") && high != metrics.cend();
            const QString title = isInterval ? tr("Accuracy, 95% interval") : seriesTitle(metric.metric);
            const QString value = metricText(metric.value);
            pairs << PairList::Pair{isOne ? title : QStringLiteral("%1, %2").arg(title, metric.checkpoint),
                                    isInterval ? tr("%1–%2").arg(value, metricText(high->value)) : value, tip};
        }
        setVisible(!pairs.isEmpty());
        m_pairs->setPairs(pairs);
    }

    PairList* m_pairs;
    QString m_shown; // run and status for which the file was read
};

class WorkersSection : public RunSection {
    Q_DECLARE_TR_FUNCTIONS(trainyard::ui::Inspector)
public:
    explicit WorkersSection(Workbench& bench) : RunSection(bench, tr("Workers")), m_workers(new WorkerList) {
        body()->addWidget(m_workers);
        connect(&bench.feed, &WorkspaceFeed::stateChanged, this, [this](const QString& run) {
            if (isOf(run)) showRun(*m_run);
        });
    }

private:
    void showRun(const RunItem& run) override {
        const auto& workers = m_bench.feed.workers(run.id);
        setVisible(!workers.empty());
        m_workers->setMeasured(!run.isProgram);
        m_workers->setWorkers(workers);
    }

    WorkerList* m_workers;
};

class ValuesSection : public RunSection {
    Q_DECLARE_TR_FUNCTIONS(trainyard::ui::Inspector)
public:
    explicit ValuesSection(Workbench& bench) : RunSection(bench, tr("Last values")), m_pairs(new PairList) {
        body()->addWidget(m_pairs);
        connect(&bench.feed.series(), &SeriesStore::changed, this, [this](const QString& run) {
            if (isOf(run) && !m_timer.isActive()) m_timer.start();
        });
        m_timer.setSingleShot(true);
        m_timer.setInterval(kValuesMs);
        connect(&m_timer, &QTimer::timeout, this, [this] {
            if (m_run) showRun(*m_run);
        });
    }

private:
    void showRun(const RunItem& run) override {
        QMap<QString, double> values;
        const auto isShown = [](const std::string& series, std::int64_t count) {
            return run::tellsOfTraining(series) && !run::isSingleTest(series, count);
        };
        for (const auto& summary : run.series)
            if (isShown(summary.series, summary.count))
                values.insert(QString::fromStdString(summary.series), summary.last);
        const SeriesStore& live = m_bench.feed.series(); // newer than the summaries
        for (const QString& name : live.names(run.id))
            if (const SeriesData* points = live.find(run.id, name);
                points && isShown(name.toStdString(), static_cast<std::int64_t>(points->size())))
                values.insert(name, points->value(points->size() - 1));
        QStringList names = values.keys(); // by the alphabet
        std::stable_sort(names.begin(), names.end(),
                         [](const QString& a, const QString& b) { return seriesPlace(a) < seriesPlace(b); });
        QList<PairList::Pair> pairs;
        for (const QString& name : std::as_const(names))
            pairs << PairList::Pair{seriesTitle(name), metricText(values[name]),
                                    name + QLatin1String("  ") + exactText(values[name])};
        setVisible(!pairs.isEmpty());
        m_pairs->setPairs(pairs);
    }

    PairList* m_pairs;
    QTimer m_timer;
};

class NotesSection : public RunSection {
    Q_DECLARE_TR_FUNCTIONS(trainyard::ui::Inspector)
public:
    explicit NotesSection(Workbench& bench)
        : RunSection(bench, tr("Notes")), m_notes(new Label(QString(), TextRole::Body)),
          m_edit(button(QString(), QStringLiteral("edit"), "flat")) {
        m_notes->setWordWrap(true);
        m_notes->setTextFormat(Qt::PlainText);
        m_notes->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_notes->setAccessibleName(tr("Notes of the run"));
        connect(m_edit, &QPushButton::clicked, this, [this] {
            if (m_run) action("notes").act({m_bench, m_run, window()});
        });
        body()->addWidget(m_notes);
        auto* buttons = row(nullptr);
        buttons->addWidget(m_edit);
        buttons->addStretch();
        body()->addLayout(buttons);
    }

private:
    void showRun(const RunItem& run) override {
        const QString notes = QString::fromStdString(run.row.notes);
        m_notes->setText(notes);
        m_notes->setVisible(!notes.isEmpty());
        m_edit->setText(notes.isEmpty() ? tr("Add notes") : tr("Edit"));
    }

    Label* m_notes;
    QPushButton* m_edit;
};

class TagsSection : public RunSection {
    Q_DECLARE_TR_FUNCTIONS(trainyard::ui::Inspector)
public:
    explicit TagsSection(Workbench& bench) : RunSection(bench, tr("Tags")) {
        auto* chips = new QWidget;
        m_tags = new WrapLayout(chips, 6);
        body()->addWidget(chips);
    }

private:
    void showRun(const RunItem& run) override {
        const QString shown = run.id + QLatin1Char('\n') + run.tags.join(QLatin1Char(' '));
        if (shown == m_shown) return; // rebuilding would take the focus from the button
        m_shown = shown;
        clearLayout(*m_tags);
        for (const QString& tag : run.tags) m_tags->addWidget(new StatusChip(tag, Status::Neutral));
        auto* add = button(run.tags.isEmpty() ? tr("Add tags") : tr("Edit"), QStringLiteral("tag"), "flat");
        connect(add, &QPushButton::clicked, this, [this] {
            if (m_run) action("tags").act({m_bench, m_run, window()});
        });
        m_tags->addWidget(add);
    }

    WrapLayout* m_tags;
    QString m_shown;
};

} // namespace

QList<RunSection*> inspectorSections(Workbench& bench) {
    return {new OriginSection(bench),      new DiffersSection(bench), new ProgramSection(bench),
            new CheckpointsSection(bench), new TestsSection(bench),   new WorkersSection(bench),
            new ValuesSection(bench),      new SourcesSection(bench), new NotesSection(bench),
            new TagsSection(bench)};
}

} // namespace trainyard::ui
