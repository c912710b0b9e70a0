// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/samples/sample_trial.h"

#include "ui/models/samples/sample_image.h"
#include "ui/models/text/format.h"
#include "ui/widgets/inputs/drop_zone.h"
#include "ui/widgets/inputs/unit_field.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/marks/prediction_bars.h"

#include <QJsonArray>
#include <QToolButton>

namespace trainyard::ui {

namespace {

constexpr int kBars = 5;
constexpr int kAskedClasses = 1000; // per model, so that two can be compared class by class
constexpr int kRoomForBoth = 340;   // design pixels, for an image beside two models
constexpr QLatin1String kDatasetSample{"data:"};
constexpr int kContinued = 80; // tokens that are added to a text

} // namespace

SampleTrial::SampleTrial(AnswerProcess& worker, QWidget* parent)
    : SampleCard({.title = tr("Try a sample"),
                  .choose = tr("Choose an image or a table to predict"),
                  .chooseName = tr("Choose a file to predict"),
                  .filters = tr("Images and tables (*.png *.jpg *.jpeg *.csv)"),
                  .typed = tr("File, row, or validation/17"),
                  .typedName = tr("Sample to predict")},
                 parent),
      m_worker(worker) {
    addAction(chooser());
    buildRowLine();
}

void SampleTrial::buildRowLine() {
    m_rowLine = new QWidget;
    auto* line = row(m_rowLine, 4);
    m_rowWords = new NumberLabel(TextRole::SmallSecondary);
    m_rowWords->setAlignment(Qt::AlignLeft);
    m_previous = iconButton(QStringLiteral("chevron-left"), tr("Previous row"));
    m_next = iconButton(QStringLiteral("chevron-right"), tr("Next row"));
    connect(m_previous, &QToolButton::clicked, this, [this] { showRow(m_row - 1); });
    connect(m_next, &QToolButton::clicked, this, [this] { showRow(m_row + 1); });
    line->addWidget(m_rowWords);
    line->addStretch();
    line->addWidget(m_previous);
    line->addWidget(m_next);
    addBelowBars(m_rowLine);
    m_rowLine->hide();
}

void SampleTrial::setModels(const AskedModel& first, const AskedModel& second) {
    const std::array models{first, second};
    if (models == m_models) return;
    m_models = models;
    arrange();
    askModels();
}

void SampleTrial::setTask(std::optional<spec::TaskKind> task) {
    if (task == m_task) return;
    m_task = task;
    const bool text = task == spec::TaskKind::Language;
    zone()->setPrompt(text ? tr("Drop or paste the beginning of a text")
                           : tr("Drop or paste an image, a row or a text"));
    edit()->setPlaceholderText(text ? tr("Beginning of a text") : tr("File, row, or validation/17"));
}

void SampleTrial::clear() {
    m_sample.reset();
    clearSample();
    askModels();
}

void SampleTrial::takeSample(const Result<AskedSample>& sample) {
    if (sample) return ask(*sample);
    m_sample.reset();
    zone()->setContent({});
    askModels(); // with no sample, so that no earlier answer stays beside the error
    fail(QString::fromStdString(sample.error().text()));
}

void SampleTrial::ask(const AskedSample& sample) {
    m_sample = sample;
    showSample(sample, sample.image, sample.title);
    edit()->setToolTip(sample.input);
    askModels();
}

void SampleTrial::askModels() {
    ++m_question;
    m_told = {};
    m_predictions = {};
    m_row = 0;
    m_rowLine->hide();
    fail(QString());
    setNote(QString());
    showAnswers();
    if (!m_sample) return;
    if (m_models[0].file.isEmpty()) {
        return fail(
            tr("There is no checkpoint to try yet. The run saves the first one at the end of its first epoch."));
    }
    setNote(tr("predicting…"));
    for (std::size_t which = 0; which < m_models.size(); ++which)
        if (!m_models[which].file.isEmpty()) askModel(which);
    if (m_sample->image.isNull() && m_sample->input.startsWith(kDatasetSample)) askPicture();
}

// Fetches the image of a dataset's sample.
void SampleTrial::askPicture() {
    const QString part = m_sample->title.section(QLatin1Char('/'), 0, 0);
    const QJsonObject question{
        {QStringLiteral("do"), QStringLiteral("samples")},
        {QStringLiteral("checkpoint"), m_models[0].file},
        {QStringLiteral("part"), part},
        {QStringLiteral("indices"), QJsonArray{m_sample->title.section(QLatin1Char('/'), 1).toLongLong()}}};
    m_worker.ask(question, this, [this, asked = m_question](const Result<WorkerAnswer>& answer) {
        if (asked != m_question || !answer) return; // the prediction reports the error
        m_sample->image = imageOf(answer->body.value(QLatin1String("items"))[0].toObject(), answer->body);
        zone()->setContent(m_sample->image, m_sample->title);
    });
}

// In a narrow card, two models leave no room for an image.
void SampleTrial::arrange() {
    zone()->setVisible(m_models[1].file.isEmpty() || width() >= Theme::current().px(kRoomForBoth));
}

void SampleTrial::resizeEvent(QResizeEvent* event) {
    Card::resizeEvent(event);
    arrange();
}

void SampleTrial::askModel(std::size_t which) {
    QJsonObject question{{QStringLiteral("do"), QStringLiteral("predict")},
                         {QStringLiteral("checkpoint"), m_models[which].file},
                         {QStringLiteral("inputs"), QJsonArray{m_sample->input}},
                         {QStringLiteral("top"), kAskedClasses},
                         {QStringLiteral("seen"), true}};
    if (m_task == spec::TaskKind::Language && which == 0) question.insert(QStringLiteral("continue"), kContinued);
    m_worker.ask(question, this, [this, which, asked = m_question](Result<WorkerAnswer> answer) {
        if (asked == m_question) answered(which, std::move(answer));
    });
}

void SampleTrial::answered(std::size_t which, Result<WorkerAnswer> answer) {
    Result<Prediction> prediction = answer ? parsePrediction(answer->body, m_row) : Result<Prediction>(answer.error());
    if (!prediction) {
        setNote(QString());
        const QString why = QString::fromStdString(prediction.error().text());
        return fail(m_models[1].file.isEmpty() ? why : m_models[which].title + QStringLiteral(": ") + why);
    }
    if (which == 0) {
        setNote(tr("predicted in %1 ms").arg(fixedText(answer->milliseconds, 1)));
        if (!prediction->seen.isNull()) zone()->setContent(prediction->seen, m_sample->title);
        else if (!prediction->continuation.isEmpty())
            zone()->setContent({}, m_sample->title + prediction->continuation);
    }
    m_told[which] = answer->body;
    showRow(m_row);
}

void SampleTrial::showRow(int row) {
    m_row = row;
    int rows = 0;
    for (std::size_t which = 0; which < m_told.size(); ++which) {
        auto prediction = parsePrediction(m_told[which], row);
        m_predictions[which] = prediction ? std::optional(std::move(*prediction)) : std::nullopt;
        if (m_predictions[which]) rows = m_predictions[which]->samples;
    }
    m_rowLine->setVisible(rows > 1);
    m_rowWords->setText(tr("Row %1 of %2").arg(countText(row + 1), countText(rows)));
    m_previous->setEnabled(row > 0);
    m_next->setEnabled(row + 1 < rows);
    showAnswers();
}

void SampleTrial::showAnswers() {
    const auto of = [&](std::size_t which) { return m_predictions[which] ? &*m_predictions[which] : nullptr; };
    const Prediction *first = of(0), *second = of(1);
    const QString label = first ? first->label : QString();
    QList<PredictionBar> drawn;
    for (const PredictionLine& line : sideBySide(first, second, kBars)) {
        QString name = line.name; // a token may be white space
        name.replace(QLatin1Char('\n'), QStringLiteral("↵")).replace(QLatin1Char(' '), QChar(0x2423));
        drawn << PredictionBar{m_task == spec::TaskKind::Language ? name : line.name, line.first, line.second,
                               !label.isEmpty() && line.name == label};
    }
    QStringList titles{m_models[0].title};
    if (!m_models[1].file.isEmpty()) titles << m_models[1].title;
    bars()->setBars(drawn, titles, !first || first->outputs.isEmpty());
}

} // namespace trainyard::ui
