// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/new_run/preview.h"

#include "engine/base/error_json.h"
#include "ui/models/new_run/catalog_loader.h"
#include "ui/models/samples/sample_image.h"
#include "ui/models/text/format.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include <cmath>

namespace trainyard::ui {

namespace {

std::int64_t count(const QJsonObject& object, const char* key) { return object.value(QLatin1String(key)).toInteger(); }

struct PreviewWords {
    Q_DECLARE_TR_FUNCTIONS(Preview)
};

// A cell of a table: whole numbers as they stand there.
QString cellText(double value) {
    constexpr double kLongest = 1e9;
    const bool isWhole = std::abs(value) < kLongest && value == std::floor(value);
    return isWhole ? QString::number(static_cast<qint64>(value)) : metricText(value);
}

QString shapeText(const QJsonArray& shape) {
    QStringList sizes;
    for (const auto& size : shape) sizes << QString::number(size.toInteger());
    return sizes.join(QStringLiteral("×"));
}

// Rows of a table under the names of its columns, a tab between two cells and the target last; texts line by line.
QStringList linesOf(const QJsonObject& root) {
    QStringList lines;
    const auto table = root.value(QLatin1String("table")).toObject();
    QStringList names;
    for (const auto& name : table.value(QLatin1String("columns")).toArray()) names << name.toString();
    if (!names.isEmpty()) lines << names.join(QLatin1Char('\t'));
    for (const auto& entry : table.value(QLatin1String("rows")).toArray()) {
        const auto row = entry.toObject();
        QStringList values;
        for (const auto& value : row.value(QLatin1String("values")).toArray()) values << cellText(value.toDouble());
        values << localText(row.value(QLatin1String("target")).toString());
        lines << values.join(QLatin1Char('\t'));
    }
    for (const auto& text : root.value(QLatin1String("text")).toArray())
        lines << text.toString().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    return lines;
}

void readData(const QJsonObject& root, Preview& preview) {
    const auto data = root.value(QLatin1String("data")).toObject();
    preview.dataName = data.value(QLatin1String("name")).toString();
    preview.dataSource = data.value(QLatin1String("source")).toString();
    preview.dataShape = shapeText(data.value(QLatin1String("shape")).toArray());
    const auto picture = data.value(QLatin1String("picture")).toObject();
    preview.pictureSize = {picture.value(QLatin1String("width")).toInt(),
                           picture.value(QLatin1String("height")).toInt()};
    preview.train = count(data, "train");
    preview.validation = count(data, "validation");
    preview.test = count(data, "test");
    preview.lost = count(data, "leftOut");
    for (const auto& entry : data.value(QLatin1String("classes")).toArray()) {
        const auto object = entry.toObject();
        preview.classes << Preview::Class{object.value(QLatin1String("name")).toString(), count(object, "train"),
                                          count(object, "validation")};
    }
    const auto targets = data.value(QLatin1String("targets")).toArray();
    for (const auto& entry : targets) {
        const auto target = entry.toObject();
        preview.learnedLines << PreviewWords::tr("%1:  mean %2, spread %3")
                                    .arg(target.value(QLatin1String("name")).toString(),
                                         metricText(target.value(QLatin1String("mean")).toDouble()),
                                         metricText(target.value(QLatin1String("stddev")).toDouble()));
    }
    if (!targets.isEmpty()) preview.learned = PreviewWords::tr("%n targets", nullptr, static_cast<int>(targets.size()));
    if (const auto tokens = count(data, "vocabulary"); tokens > 0)
        preview.learned = PreviewWords::tr("%n tokens", nullptr, static_cast<int>(tokens));
    const auto thumbnails = root.value(QLatin1String("thumbnails")).toObject();
    for (const auto& entry : thumbnails.value(QLatin1String("items")).toArray()) {
        const QImage image = imageOf(entry.toObject(), thumbnails);
        if (!image.isNull()) preview.thumbnails << image;
    }
    for (const auto& entry : root.value(QLatin1String("points")).toArray()) {
        const auto point = entry.toArray();
        preview.points << Preview::DataPoint{point.at(0).toDouble(), point.at(1).toDouble(), point.at(2).toInt()};
    }
    preview.lines = linesOf(root);
    for (const auto& note : data.value(QLatin1String("notes")).toArray()) preview.notes << note.toString();
}

std::optional<Preview::Checkpoint> checkpointOf(const QJsonObject& root) {
    const auto object = root.value(QLatin1String("checkpoint")).toObject();
    if (object.isEmpty()) return std::nullopt;
    const auto text = [&](const char* key) { return object.value(QLatin1String(key)).toString(); };
    return Preview::Checkpoint{object.value(QLatin1String("fits")).toBool(true), text("why"), text("remedy"),
                               text("changed")};
}

std::optional<Preview::Weights> weightsOf(const QJsonObject& root) {
    const auto object = root.value(QLatin1String("weights")).toObject();
    if (object.isEmpty()) return std::nullopt;
    return Preview::Weights{count(object, "tensors"), count(object, "tensorsOfModel"), count(object, "headRows"),
                            object.value(QLatin1String("head")).toString()};
}

} // namespace

std::optional<Preview> parsePreview(const QByteArray& json) {
    const auto document = QJsonDocument::fromJson(json);
    if (!document.isObject()) return std::nullopt;
    const auto root = document.object();
    Preview preview;
    readData(root, preview);
    const auto model = root.value(QLatin1String("model")).toObject();
    preview.parameters = count(model, "parameters");
    for (const auto& notice : model.value(QLatin1String("notices")).toArray()) preview.notes << notice.toString();
    for (const auto& entry : model.value(QLatin1String("layers")).toArray()) {
        const auto layer = entry.toObject();
        preview.layers << Preview::Layer{
            layer.value(QLatin1String("name")).toString(), layer.value(QLatin1String("kind")).toString(),
            shapeText(layer.value(QLatin1String("shape")).toArray()), count(layer, "parameters")};
    }
    preview.head = model.value(QLatin1String("head")).toString();
    for (const auto& entry : model.value(QLatin1String("blocks")).toArray()) {
        const auto block = entry.toObject();
        preview.blocks << Preview::Block{block.value(QLatin1String("name")).toString(), count(block, "parameters"),
                                         count(block, "frozen")};
    }
    const auto batch = root.value(QLatin1String("batch")).toObject();
    preview.perRank = count(batch, "perRank");
    preview.workers = count(batch, "workers");
    preview.accumulate = count(batch, "accumulate");
    preview.global = count(batch, "global");
    preview.stepsPerEpoch = count(batch, "stepsPerEpoch");
    preview.totalSteps = count(batch, "totalSteps");
    preview.leftOut = count(batch, "leftOutPerEpoch");
    for (const auto& entry : root.value(QLatin1String("lr")).toArray())
        preview.lr << QPointF(entry.toArray().at(0).toDouble(), entry.toArray().at(1).toDouble());
    const auto memory = root.value(QLatin1String("memory")).toObject();
    preview.bytesOfAll = memory.value(QLatin1String("allWorkers")).toDouble();
    preview.weightBytes = memory.value(QLatin1String("weights")).toDouble();
    preview.datasetBytes = memory.value(QLatin1String("dataset")).toDouble();
    preview.checkpoint = checkpointOf(root);
    preview.weights = weightsOf(root);
    return preview;
}

PreviewProcess::PreviewProcess(QObject* parent) : QObject(parent) {
    m_pause.setSingleShot(true);
    m_pause.setInterval(250);
    connect(&m_pause, &QTimer::timeout, this, &PreviewProcess::start);
}

PreviewProcess::~PreviewProcess() { cancel(); }

void PreviewProcess::ask(const QString& runJson, const QString& checkpoint) {
    cancel();
    m_question = runJson;
    m_checkpoint = checkpoint;
    m_pause.start();
}

void PreviewProcess::cancel() {
    m_pause.stop();
    if (auto* process = std::exchange(m_process, nullptr)) {
        process->disconnect(this);
        process->setParent(nullptr);
        connect(process, &QProcess::finished, process, &QObject::deleteLater);
        process->kill();
        if (process->state() == QProcess::NotRunning) process->deleteLater();
    }
}

void PreviewProcess::start() {
    m_process = new QProcess(this);
    connect(m_process, &QProcess::finished, this, &PreviewProcess::finished);
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            m_process->deleteLater();
            m_process = nullptr;
            Q_EMIT refused(environmentError("trainyard-worker was not found beside this program"), 0);
        }
    });
    QStringList words{QStringLiteral("preview"), QStringLiteral("-")};
    if (!m_checkpoint.isEmpty()) words << QStringLiteral("--checkpoint") << m_checkpoint;
    m_process->start(QString::fromStdString(CatalogLoader::workerProgram().string()), words);
    m_process->write(m_question.toUtf8());
    m_process->closeWriteChannel();
}

void PreviewProcess::finished(int code) {
    auto* process = std::exchange(m_process, nullptr);
    process->deleteLater();
    const QByteArray output = process->readAllStandardOutput();
    const auto preview = code == 0 ? parsePreview(output) : std::nullopt;
    if (preview) {
        Q_EMIT arrived(*preview);
        return;
    }
    Q_EMIT refused(
        programError("the worker program", code, output.toStdString(), process->readAllStandardError().toStdString()),
        count(QJsonDocument::fromJson(output).object(), "samples"));
}

} // namespace trainyard::ui
