// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/data/draws.h"

#include "ui/models/samples/sample_image.h"

#include <QJsonArray>

namespace trainyard::ui {

namespace {

constexpr int kDrawsPauseMs = 60; // less than is seen as a delay, and more than between two keys of a held arrow

QImage pictureOf(const QJsonValue& pixels, const QJsonObject& shape) {
    return imageOf(QJsonObject{{QStringLiteral("pixels"), pixels}}, shape);
}

} // namespace

Draws parseDraws(const QJsonObject& answer) {
    Draws draws;
    const auto picture = answer.value(QLatin1String("picture")).toObject();
    draws.picture = imageOf(picture, answer);
    draws.label = picture.value(QLatin1String("label")).toString();
    draws.changes = answer.value(QLatin1String("changes")).toBool();
    for (const auto& pixels : answer.value(QLatin1String("draws")).toArray())
        if (const QImage image = pictureOf(pixels, answer); !image.isNull()) draws.changed << image;
    for (const auto& entry : answer.value(QLatin1String("batch")).toArray()) {
        const auto item = entry.toObject();
        Draws::Mixed mixed{imageOf(item, answer), {}};
        for (const auto& each : item.value(QLatin1String("labels")).toArray()) {
            const auto label = each.toObject();
            mixed.labels << Draws::Label{label.value(QLatin1String("name")).toString(),
                                         label.value(QLatin1String("share")).toDouble()};
        }
        if (!mixed.picture.isNull()) draws.batch << mixed;
    }
    return draws;
}

DrawsQuestion::DrawsQuestion(QObject* parent) : QObject(parent) {
    m_pause.setSingleShot(true);
    m_pause.setInterval(kDrawsPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &DrawsQuestion::send);
}

void DrawsQuestion::ask(spec::RunSpec run) {
    run.name.clear();
    const QString wanted = QString::fromStdString(spec::toJson(run));
    if (wanted == m_wanted) return;
    m_wanted = wanted;
    m_pause.start();
}

void DrawsQuestion::askForNext() {
    if (m_wanted.isEmpty()) return;
    ++m_picture;
    m_pause.start();
}

void DrawsQuestion::cancel() {
    m_pause.stop();
    m_worker.stop();
    m_wanted.clear();
    m_sent.clear();
    m_isBusy = false;
}

void DrawsQuestion::send() {
    if (m_isBusy || m_wanted.isEmpty() || (m_wanted == m_sent && m_picture == m_sentPicture)) return;
    m_isBusy = true;
    m_sent = m_wanted;
    m_sentPicture = m_picture;
    m_worker.ask({{QStringLiteral("do"), QStringLiteral("draws")},
                  {QStringLiteral("run"), m_sent},
                  {QStringLiteral("picture"), m_picture}},
                 this, [this](Result<WorkerAnswer> answer) {
                     m_isBusy = false;
                     if (!answer) Q_EMIT refused(QString::fromStdString(answer.error().text()));
                     else Q_EMIT arrived(parseDraws(answer->body));
                     send(); // what was asked for meanwhile
                 });
}

} // namespace trainyard::ui
