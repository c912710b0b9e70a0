// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "ui/models/samples/asked_sample.h"
#include "ui/models/serve/service_watch.h"

#include <QByteArray>
#include <QJsonObject>
#include <QObject>

#include <functional>
#include <optional>

class QNetworkAccessManager;
class QNetworkReply;

namespace trainyard::ui {

// A sample as the body of a request to /predict.
struct ServiceBody {
    QByteArray type; // Content-Type
    QByteArray bytes;
    QString file{}; // that it is; empty: typed
};
// Rule: how a sample travels to a service.
// By its file's first bytes a picture, else a table; a row as a line of CSV; a text as it is. Input: it cannot be
// sent, as a sample of the dataset.
Result<ServiceBody> bodyOf(const AskedSample& sample);

// What a service answered.
struct ServiceAnswer {
    QJsonObject body; // as `trainyardctl predict --json`
    QString version;  // X-Model-Version
    double milliseconds = 0;
};

// Asks services over HTTP, with their token, as any other program does. GUI thread; nothing blocks it.
class ServiceCaller : public QObject {
    Q_OBJECT
public:
    explicit ServiceCaller(QObject* parent = nullptr);
    ~ServiceCaller() override;

    // POST /predict/MODEL[/versions/VERSION]; an empty `version`: the service chooses. Errors are those of the service,
    // with its remedies, and Environment where it does not answer.
    void ask(const serve::ServiceView& service, const QString& model, const QString& version, const ServiceBody& body,
             std::function<void(Result<ServiceAnswer>)> done);

private:
    void finish(QNetworkReply* reply, double milliseconds, const std::function<void(Result<ServiceAnswer>)>& done);

    QNetworkAccessManager* m_network = nullptr; // made by the first question
};

} // namespace trainyard::ui
