// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/serve/service_copy.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonValue>

#include <algorithm>

namespace trainyard::ui {

namespace {

QString shellWord(const QString& word) {
    return QLatin1Char('\'') + QString(word).replace(QLatin1Char('\''), QLatin1String("'\\''")) + QLatin1Char('\'');
}

// A literal of JSON is one of Python, too.
QString pythonWord(const QString& word) {
    const QString list = QString::fromUtf8(QJsonDocument(QJsonArray{word}).toJson(QJsonDocument::Compact));
    return list.mid(1, list.size() - 2);
}

QString tokenFile(const serve::ServiceView& service) { return QString::fromStdString(service.folder.token().string()); }
QString modelPath(const QString& model) { return QStringLiteral("/predict/") + model; }
bool isSocket(const serve::ServiceView& service) { return !service.spec.socket.empty(); }
QString urlOf(const serve::ServiceView& service) {
    const std::string url = service.status.url.empty() ? service.spec.url() : service.status.url;
    return isSocket(service) ? QStringLiteral("http://localhost") : QString::fromStdString(url);
}

// The request in http.client, which can be taught to use a socket.
QString pythonOverSocket(const serve::ServiceView& service, const QString& model, const QString& body,
                         const QString& type) {
    return QStringLiteral("import http.client, pathlib, socket\n\n"
                          "connection = http.client.HTTPConnection(\"localhost\")\n"
                          "connection.sock = socket.socket(socket.AF_UNIX)\n"
                          "connection.sock.connect(%1)\n"
                          "token = pathlib.Path(%2).read_text().strip()\n"
                          "headers = {\"Authorization\": f\"Bearer {token}\", \"Content-Type\": %3}\n"
                          "connection.request(\"POST\", %4, %5, headers)\n"
                          "print(connection.getresponse().read().decode())\n")
        .arg(pythonWord(QString::fromStdString(service.spec.socket)), pythonWord(tokenFile(service)), pythonWord(type),
             pythonWord(modelPath(model)), body);
}

} // namespace

QString curlText(const serve::ServiceView& service, const QString& model, const ServiceBody& body) {
    QStringList words{QStringLiteral("curl -sS")};
    if (isSocket(service))
        words << QStringLiteral("--unix-socket ") + shellWord(QString::fromStdString(service.spec.socket));
    if (!service.spec.certificate.empty())
        words << QStringLiteral("--cacert ") + shellWord(QString::fromStdString(service.spec.certificate));
    words << QStringLiteral("-H \"Authorization: Bearer $(cat %1)\"").arg(shellWord(tokenFile(service)))
          << QStringLiteral("-H ") + shellWord(QStringLiteral("Content-Type: ") + QString::fromLatin1(body.type));
    words << (body.file.isEmpty() ? QStringLiteral("--data-raw ") + shellWord(QString::fromUtf8(body.bytes))
                                  : QStringLiteral("--data-binary ") + shellWord(QLatin1Char('@') + body.file));
    words << shellWord(urlOf(service) + modelPath(model));
    return words.join(QStringLiteral(" \\\n  "));
}

QString pythonText(const serve::ServiceView& service, const QString& model, const ServiceBody& body) {
    const QString type = QString::fromLatin1(body.type);
    const QString data = body.file.isEmpty()
                             ? pythonWord(QString::fromUtf8(body.bytes)) + QStringLiteral(".encode()")
                             : QStringLiteral("pathlib.Path(%1).read_bytes()").arg(pythonWord(body.file));
    if (isSocket(service)) return pythonOverSocket(service, model, data, type);
    const bool own = !service.spec.certificate.empty();
    QString text = own ? QStringLiteral("import pathlib, ssl, urllib.request\n\n")
                       : QStringLiteral("import pathlib, urllib.request\n\n");
    text +=
        QStringLiteral("token = pathlib.Path(%1).read_text().strip()\n"
                       "headers = {\"Authorization\": f\"Bearer {token}\", \"Content-Type\": %2}\n"
                       "request = urllib.request.Request(%3, %4, headers)\n")
            .arg(pythonWord(tokenFile(service)), pythonWord(type), pythonWord(urlOf(service) + modelPath(model)), data);
    if (own)
        text += QStringLiteral("context = ssl.create_default_context(cafile=%1)\n"
                               "print(urllib.request.urlopen(request, context=context).read().decode())\n")
                    .arg(pythonWord(QString::fromStdString(service.spec.certificate)));
    else text += QStringLiteral("print(urllib.request.urlopen(request).read().decode())\n");
    return text;
}

ServiceBody exampleBody(const serve::ServiceStatus& status, const QString& model) {
    const std::string name = model.toStdString();
    const auto at = std::find_if(status.signatures.begin(), status.signatures.end(),
                                 [&](const serve::ModelSignature& each) { return each.name == name; });
    if (at == status.signatures.end()) return {"image/png", {}, QStringLiteral("picture.png")};
    switch (at->kind) {
    case serve::InputKind::Image: return {"image/png", {}, QStringLiteral("picture.png")};
    case serve::InputKind::Text: return {"text/plain", "To be"};
    default: break;
    }
    // A row of zeros, or of the first word that each column has.
    QStringList cells;
    for (const serve::ColumnSignature& column : at->columns)
        cells << (column.words.empty() ? QStringLiteral("0") : QString::fromStdString(column.words.front()));
    for (std::size_t i = 0; at->columns.empty() && !at->inputs.empty() && i < at->inputs.front().elementsOfRow(); ++i)
        cells << QStringLiteral("0");
    return {"text/csv", cells.join(QLatin1Char(',')).toUtf8()};
}

} // namespace trainyard::ui
