// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/serve/service_copy.h"

#include "ui/models/serve/service_address.h"

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

// How a script connects where urllib cannot: to a socket, or to an address that its certificate calls otherwise.
QString connectionLines(const ServiceAddress& address) {
    if (!address.socket.isEmpty())
        return QStringLiteral("connection = http.client.HTTPConnection(\"localhost\")\n"
                              "connection.sock = socket.socket(socket.AF_UNIX)\n"
                              "connection.sock.connect(%1)\n")
            .arg(pythonWord(address.socket));
    return QStringLiteral("context = ssl.create_default_context(cafile=%1)\n"
                          "context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN\n"
                          "connection = http.client.HTTPSConnection(%2, %3)\n"
                          "connection.sock = context.wrap_socket(socket.create_connection((%4, %3)), "
                          "server_hostname=%2)\n")
               .arg(pythonWord(address.certificate), pythonWord(address.name), QString::number(address.port),
                    pythonWord(address.host)) +
           (address.name == address.host
                ? QString()
                : QStringLiteral("headers[\"Host\"] = %1\n").arg(pythonWord(address.endpoint())));
}

} // namespace

QString curlText(const serve::ServiceView& service, const QString& model, const ServiceBody& body) {
    const ServiceAddress address = addressFromHere(service);
    QStringList words{QStringLiteral("curl -sS")};
    if (!address.socket.isEmpty()) words << QStringLiteral("--unix-socket ") + shellWord(address.socket);
    if (!address.certificate.isEmpty()) words << QStringLiteral("--cacert ") + shellWord(address.certificate);
    if (address.name != address.host)
        words << QStringLiteral("--connect-to ") +
                     shellWord(QStringLiteral("%1:%2:%3").arg(address.name).arg(address.port).arg(address.endpoint()))
              << QStringLiteral("-H ") + shellWord(QStringLiteral("Host: ") + address.endpoint());
    words << QStringLiteral("-H \"Authorization: Bearer $(cat %1)\"").arg(shellWord(tokenFile(service)))
          << QStringLiteral("-H ") + shellWord(QStringLiteral("Content-Type: ") + QString::fromLatin1(body.type));
    words << (body.file.isEmpty() ? QStringLiteral("--data-raw ") + shellWord(QString::fromUtf8(body.bytes))
                                  : QStringLiteral("--data-binary ") + shellWord(QLatin1Char('@') + body.file));
    words << shellWord(address.url() + modelPath(model));
    return words.join(QStringLiteral(" \\\n  "));
}

QString pythonText(const serve::ServiceView& service, const QString& model, const ServiceBody& body) {
    const ServiceAddress address = addressFromHere(service);
    const QString type = QString::fromLatin1(body.type);
    const QString data = body.file.isEmpty()
                             ? pythonWord(QString::fromUtf8(body.bytes)) + QStringLiteral(".encode()")
                             : QStringLiteral("pathlib.Path(%1).read_bytes()").arg(pythonWord(body.file));
    const QString headers = QStringLiteral("token = pathlib.Path(%1).read_text().strip()\n"
                                           "headers = {\"Authorization\": f\"Bearer {token}\", \"Content-Type\": %2}\n")
                                .arg(pythonWord(tokenFile(service)), pythonWord(type));
    if (address.socket.isEmpty() && address.certificate.isEmpty())
        return QStringLiteral("import pathlib, urllib.request\n\n") + headers +
               QStringLiteral("request = urllib.request.Request(%1, %2, headers)\n"
                              "print(urllib.request.urlopen(request).read().decode())\n")
                   .arg(pythonWord(address.url() + modelPath(model)), data);
    const QString modules = address.socket.isEmpty() ? QStringLiteral("http.client, pathlib, socket, ssl")
                                                     : QStringLiteral("http.client, pathlib, socket");
    return QStringLiteral("import %1\n\n").arg(modules) + headers + connectionLines(address) +
           QStringLiteral("connection.request(\"POST\", %1, %2, headers)\n"
                          "print(connection.getresponse().read().decode())\n")
               .arg(pythonWord(modelPath(model)), data);
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
