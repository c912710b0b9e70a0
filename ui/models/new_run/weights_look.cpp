// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/new_run/weights_look.h"

#include "engine/run/launch/programs.h"
#include "engine/spec/values/params.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include <utility>

namespace trainyard::ui {

std::optional<FittingModel> readFittingModel(const QByteArray& json) {
    const auto root = QJsonDocument::fromJson(json).object();
    const auto model = root.value(QLatin1String("model")).toObject();
    if (!root.value(QLatin1String("fits")).toBool() || model.isEmpty()) return std::nullopt;
    FittingModel found;
    found.model.name = model.value(QLatin1String("name")).toString().toStdString();
    const auto params = QJsonDocument(model.value(QLatin1String("params")).toObject()).toJson(QJsonDocument::Compact);
    found.model.params = spec::paramsFromText(params.toStdString());
    const auto shape = model.value(QLatin1String("sampleShape")).toArray();
    if (shape.size() == 3) found.side = shape.at(2).toInt();
    return found;
}

WeightsLook::WeightsLook(QObject* parent) : QObject(parent) {}

WeightsLook::~WeightsLook() { drop(); }

void WeightsLook::drop() {
    auto* process = std::exchange(m_process, nullptr);
    if (process == nullptr) return;
    process->disconnect(this);
    process->setParent(nullptr);
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
    process->kill();
    if (process->state() == QProcess::NotRunning) process->deleteLater();
}

void WeightsLook::ask(const QString& file) {
    if (file == m_file) return;
    drop();
    m_file = file;
    m_found.reset();
    if (file.isEmpty()) return;
    m_process = new QProcess(this);
    connect(m_process, &QProcess::finished, this, [this](int code) {
        auto* process = std::exchange(m_process, nullptr);
        process->deleteLater();
        if (code == 0) m_found = readFittingModel(process->readAllStandardOutput());
        Q_EMIT changed();
    });
    m_process->start(QString::fromStdString(run::workerProgram().string()), {QStringLiteral("weights"), file});
}

} // namespace trainyard::ui
