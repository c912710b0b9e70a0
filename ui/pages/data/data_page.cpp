// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/data/data_page.h"

#include "engine/run/start/first_run.h"
#include "engine/spec/run/learning_rate.h"
#include "ui/actions/bad_files_sheet.h"
#include "ui/models/desktop/file_question.h"
#include "ui/models/new_run/training_source.h"
#include "ui/models/text/engine_text.h"
#include "ui/models/text/format.h"
#include "ui/pages/data/dataset_download.h"
#include "ui/pages/page_table.h"
#include "ui/widgets/card.h"
#include "ui/widgets/marks/status_chip.h"

#include <algorithm>
#include <utility>

namespace trainyard::ui {
namespace {

// "60,000 samples", "folder /usr/share/datasets".
QString factText(const std::string& name, const std::string& value) {
    const QString text = QString::fromStdString(value);
    bool isCount = false;
    const int count = text.toInt(&isCount);
    if (isCount && name == "samples") return DataPage::tr("%Ln samples", nullptr, count);
    if (isCount && name == "classes") return DataPage::tr("%Ln classes", nullptr, count);
    if (isCount && name == "targets") return DataPage::tr("%Ln targets", nullptr, count);
    return QStringLiteral("%1 %2").arg(engineText(name), text);
}

// Tasks first, then the facts (numbers before the rest), then a model's settings.
QStringList factsOf(const spec::Entry& entry, bool dataset) {
    QStringList facts;
    for (const char* count : {"samples", "classes", "targets"})
        if (const auto fact = entry.facts.find(count); fact != entry.facts.end())
            facts << factText(fact->first, fact->second);
    const auto isCount = [](const std::string& name) {
        return name == "samples" || name == "classes" || name == "targets";
    };
    for (const auto& [name, value] : entry.facts)
        if (name != "task" && !isCount(name)) facts << factText(name, value); // the task stands first, below
    if (!entry.tasks.empty()) {
        QStringList tasks;
        for (const auto& task : entry.tasks) tasks << engineText(task);
        const QString last = tasks.takeLast();
        facts.prepend(tasks.isEmpty() ? last : DataPage::tr("%1 or %2").arg(tasks.join(QStringLiteral(", ")), last));
    }
    if (!entry.params.empty() && !dataset) {
        QStringList params;
        for (const auto& param : entry.params) params << engineText(param.title);
        facts << DataPage::tr("settings: %1").arg(params.join(QStringLiteral(", ")));
    }
    return facts;
}

} // namespace

DataPage::DataPage(Workbench& bench, QWidget* parent) : Surface(SurfaceColor::Window, NoEdge, parent), m_bench(bench) {
    const Theme& theme = Theme::current();
    auto* canvas = new QWidget;
    auto* outer = row(canvas);
    setMargins(outer, 24, 32, 24, 24);
    m_column = new QWidget;
    m_column->setMaximumWidth(theme.px(984));
    m_layout = column(m_column, 12);
    outer->addStretch();
    outer->addWidget(m_column, 100);
    outer->addStretch();
    column(this)->addWidget(scrolled(canvas, tr("Datasets")));
    auto* waiting =
        new Label(bench.catalog.error().isEmpty() ? tr("Loading models and datasets…") : bench.catalog.error(),
                  TextRole::Secondary);
    waiting->setWordWrap(true);
    m_layout->addWidget(new Label(tr("Data and models"), TextRole::Title));
    m_layout->addWidget(waiting);
    const auto fill = [this, waiting] {
        if (const auto catalog = m_bench.catalog.catalog()) {
            waiting->hide();
            show(*catalog);
        }
    };
    connect(&bench.catalog, &CatalogLoader::loaded, this, fill);
    connect(&bench.catalog, &CatalogLoader::failed, waiting, &QLabel::setText);
    fill();
}

void DataPage::show(const spec::Catalog& catalog) {
    delete std::exchange(m_shown, new QWidget);
    m_layout->addWidget(m_shown);
    auto* layout = column(m_shown, 12);
    const auto section = [this, layout](const QString& title, const std::vector<spec::Entry>& entries, bool datasets) {
        auto* card = new Card(title);
        card->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
        const auto ready = std::count_if(entries.begin(), entries.end(), [](const auto& entry) {
            return entry.available && !sourceKindOf(entry.name);
        });
        card->setNote(datasets ? tr("%1 of %2 ready to train on")
                                     .arg(ready)
                                     .arg(std::count_if(entries.begin(), entries.end(),
                                                        [](const auto& entry) { return !sourceKindOf(entry.name); }))
                               : tr("%n models", nullptr, static_cast<int>(entries.size())));
        for (const auto& entry : entries) card->body()->addWidget(entryRow(entry, datasets));
        layout->addWidget(card);
    };
    section(tr("Datasets"), catalog.datasets, true);
    section(tr("Models"), catalog.models, false);
    auto* devices = new Card(tr("This computer's worker"));
    devices->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    auto* pairs = new PairList;
    QList<PairList::Pair> rows;
    for (const auto& device : catalog.devices) {
        QString value = QString::fromStdString(device.title);
        if (device.memoryBytes > 0) value += QStringLiteral(", ") + bytesText(static_cast<double>(device.memoryBytes));
        rows << PairList::Pair{QString::fromStdString(device.name), value, {}};
    }
    rows << PairList::Pair{tr("LibTorch"), QString::fromStdString(catalog.libtorchVersion), {}}
         << PairList::Pair{tr("Matrix products"), QString::fromStdString(catalog.blas), {}};
    pairs->setPairs(rows);
    setMargins(devices->body(), 12, 0, 12, 12);
    devices->body()->addWidget(pairs);
    layout->addWidget(devices);
    layout->addStretch();
}

QWidget* DataPage::entryRow(const spec::Entry& entry, bool dataset) {
    const Theme& theme = Theme::current();
    auto* holder = new Surface(SurfaceColor::Card, TopEdge);
    auto* line = row(holder, 12);
    setMargins(line, 12, 10, 12, 10);
    auto* words = new QVBoxLayout;
    words->setSpacing(theme.px(2));
    auto* title = row(nullptr, 8);
    title->addWidget(new Label(engineText(entry.title), TextRole::Heading));
    title->addWidget(new Label(QString::fromStdString(entry.name), TextRole::Mono));
    title->addStretch();
    words->addLayout(title);
    auto* help = new Label(engineText(entry.help), TextRole::SmallSecondary);
    help->setToolTip(QString::fromStdString(entry.unavailable)); // the missing file and the folders searched
    help->setWordWrap(true);
    help->setTextInteractionFlags(Qt::TextSelectableByMouse);
    words->addWidget(help);
    const QStringList facts = factsOf(entry, dataset);
    if (!facts.isEmpty()) {
        auto* line2 = new Label(facts.join(QStringLiteral("  ·  ")), TextRole::SmallTertiary);
        line2->setWordWrap(true);
        words->addWidget(line2);
    }
    line->addLayout(words, 1);
    const bool own = sourceKindOf(entry.name).has_value();
    if (dataset) {
        const bool ready = entry.available && !own;
        line->addWidget(new StatusChip(own               ? tr("Your own files")
                                       : entry.available ? tr("Ready")
                                                         : tr("Not installed"),
                                       ready ? Status::Success : Status::Neutral,
                                       ready ? QStringLiteral("check") : QString()),
                        0, Qt::AlignVCenter);
    }
    if (!entry.available && entry.downloads) {
        auto* download = new DatasetDownload(QString::fromStdString(entry.name), help);
        connect(download, &DatasetDownload::finished, &m_bench.catalog, &CatalogLoader::load);
        line->addWidget(download, 0, Qt::AlignVCenter);
    }
    if (dataset && sourceKindOf(entry.name) == TrainingSource::Images) {
        auto* check = button(tr("Check…"), QStringLiteral("check-circle"));
        check->setToolTip(tr("Decode all pictures of a folder, and list those that cannot be read"));
        connect(check, &QPushButton::clicked, this, &DataPage::checkFolder);
        line->addWidget(check, 0, Qt::AlignVCenter);
    }
    auto* use = own ? button(tr("Choose…"), QStringLiteral("folder")) : button(tr("Train"), QStringLiteral("play"));
    use->setEnabled(entry.available);
    use->setToolTip(entry.available ? QString() : QString::fromStdString(entry.unavailable));
    use->setAccessibleName(dataset ? tr("Train on %1").arg(engineText(entry.title))
                                   : tr("Train %1").arg(engineText(entry.title)));
    connect(use, &QPushButton::clicked, this, [this, entry, dataset, own] {
        if (own) choose(entry);
        else train(entry, dataset);
    });
    line->addWidget(use, 0, Qt::AlignVCenter);
    return holder;
}

void DataPage::choose(const spec::Entry& entry) {
    const bool folder = sourceKindOf(entry.name) == TrainingSource::Images;
    FileQuestion question{.kind = folder ? FileQuestion::Kind::Folder : FileQuestion::Kind::File,
                          .title = engineText(entry.title)};
    if (!folder)
        question.filters << QStringLiteral("%1 (%2)").arg(question.title,
                                                          filePatterns(entry.name).join(QLatin1Char(' ')));
    askForFiles(this, question, [this](const ChosenFiles& chosen) { Q_EMIT m_bench.sourceRequested(chosen.path()); });
}

void DataPage::checkFolder() {
    askForFiles(this, {.kind = FileQuestion::Kind::Folder, .title = tr("Check a folder of pictures")},
                [this](const ChosenFiles& chosen) {
                    auto* sheet = new BadFilesSheet(window());
                    sheet->checkFolder(chosen.path());
                    sheet->open();
                });
}

void DataPage::train(const spec::Entry& entry, bool dataset) {
    spec::RunSpec spec = run::firstRun(*m_bench.catalog.catalog(), SystemStats::cores());
    spec.name.clear();
    (dataset ? spec.dataset : spec.model) = {entry.name, {}};
    if (!entry.serves(spec.task)) spec.task = entry.tasks.front();
    spec::fitToTask(spec, *m_bench.catalog.catalog());
    spec::fitOptimizer(spec, *m_bench.catalog.catalog());
    const bool images = spec.model.name != "mlp" && spec.model.name != "softmax";
    if (images && spec.dataset.name == "spirals") spec.dataset = {"glyphs", {}};
    Q_EMIT m_bench.newRunRequested(QString::fromStdString(spec::toJson(spec)), false);
}

Page dataPage() { return {"data", QT_TRANSLATE_NOOP("Page", "Data and models"), "data", makePage<DataPage>}; }

} // namespace trainyard::ui
