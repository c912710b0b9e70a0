// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/serve/service_caller.h"

#include "engine/serve/control/service_http.h"
#include "ui/models/desktop/background.h"
#include "ui/models/serve/service_address.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QSslConfiguration>
#include <QSslError>
#include <QUrl>

#include <utility>

namespace trainyard::ui {

namespace {

constexpr qint64 kLargestFile = 64LL << 20;  // bytes: a service takes no more in any case
constexpr qint64 kLargestAnswer = 8LL << 20; // bytes
constexpr int kDeadlineMs = 30000;
constexpr qsizetype kTellTale = 4; // first bytes of a file

struct CallWords {
    Q_DECLARE_TR_FUNCTIONS(Serve)
};

Error cannotSend(const QString& what, const QString& where, const QString& remedy) {
    return inputError(what.toStdString(), where.toStdString(), remedy.toStdString());
}

Result<ServiceBody> bodyOfFile(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return environmentError(file.errorString().toStdString(), path.toStdString(), "choose another file");
    if (file.size() > kLargestFile)
        return cannotSend(CallWords::tr("is larger than 64 MiB"), path, CallWords::tr("choose a smaller file"));
    ServiceBody body{{}, file.readAll(), path};
    const QByteArray first = body.bytes.left(kTellTale);
    if (first.startsWith("\x89PNG")) body.type = "image/png";
    else if (first.startsWith("\xff\xd8\xff")) body.type = "image/jpeg";
    else if (QFileInfo(path).suffix().compare(QLatin1String("csv"), Qt::CaseInsensitive) == 0) body.type = "text/csv";
    else if (QFileInfo(path).suffix().compare(QLatin1String("txt"), Qt::CaseInsensitive) == 0) body.type = "text/plain";
    else
        return cannotSend(CallWords::tr("is neither a PNG or JPEG picture nor a table"), path,
                          CallWords::tr("convert it to PNG, or choose a .csv or .txt file"));
    return body;
}

// The text of an answer that is an error (engine/serve/values/error_body.h).
Error answerError(const QByteArray& answer, int status, const QString& url) {
    const QJsonObject body = QJsonDocument::fromJson(answer).object();
    const auto member = [&](const char* name) { return body.value(QLatin1String(name)).toString().toStdString(); };
    std::string message = member("error");
    if (message.empty()) message = CallWords::tr("answered with status %1").arg(status).toStdString();
    std::string where = member("where");
    if (where.empty()) where = url.toStdString();
    return status >= 400 && status < 500 ? inputError(message, where, member("remedy"))
                                         : environmentError(message, where, member("remedy"));
}

// All classes, so that two versions can be compared.
QString predictPath(const QString& model, const QString& version) {
    const auto part = [](const QString& text) { return QString::fromLatin1(QUrl::toPercentEncoding(text)); };
    const QString place = version.isEmpty() ? QString() : QStringLiteral("/versions/") + part(version);
    return QStringLiteral("/predict/%1%2?top=1000").arg(part(model), place);
}

// What an answer of this status says.
Result<ServiceAnswer> answerOf(int status, const QByteArray& answer, const QString& version, double milliseconds,
                               const QString& url) {
    if (status != 200) return answerError(answer, status, url);
    const QJsonDocument body = QJsonDocument::fromJson(answer);
    if (!body.isObject())
        return environmentError(CallWords::tr("answered with something else than JSON").toStdString(),
                                url.toStdString());
    return ServiceAnswer{body.object(), version, milliseconds};
}

// Waits for the answer.
Result<ServiceAnswer> askSocket(const QString& socket, const QString& path, const ServiceBody& body,
                                const std::string& token) {
    QElapsedTimer clock;
    clock.start();
    TY_ASSIGN(auto connection, serve::ServiceHttp::connect("unix:" + socket.toStdString()));
    const std::string headers =
        "Authorization: Bearer " + token + "\r\nContent-Type: " + body.type.toStdString() + "\r\n";
    TY_ASSIGN(const auto reply,
              connection.ask("POST", path.toStdString(), headers,
                             std::string_view(body.bytes.constData(), body.bytes.size()), kDeadlineMs / 1000.0));
    return answerOf(reply.status, QByteArray::fromStdString(reply.body),
                    QString::fromStdString(reply.header("x-model-version")),
                    static_cast<double>(clock.nsecsElapsed()) / 1e6, socket);
}

// Holds for the certificate that is the service's own, whoever signed it, and by whatever address it was reached.
void trustOwnCertificate(QNetworkReply* reply, const QSslCertificate& own) {
    QObject::connect(reply, &QNetworkReply::sslErrors, reply, [reply, own](QList<QSslError> errors) {
        if (own.isNull() || reply->sslConfiguration().peerCertificate() != own) return;
        errors.removeIf([](const QSslError& each) {
            return each.error() == QSslError::CertificateExpired || each.error() == QSslError::CertificateNotYetValid;
        });
        reply->ignoreSslErrors(errors);
    });
}

} // namespace

Result<ServiceBody> bodyOf(const AskedSample& sample) {
    const QString& input = sample.input;
    if (input.startsWith(QLatin1String("row:"))) return ServiceBody{"text/csv", input.mid(4).toUtf8()};
    if (input.startsWith(QLatin1String("text:"))) return ServiceBody{"text/plain", input.mid(5).toUtf8()};
    if (input.startsWith(QLatin1String("data:")))
        return cannotSend(CallWords::tr("is a sample of the dataset, which a service does not have"), sample.title,
                          CallWords::tr("drop a picture, or paste a row or a text"));
    return bodyOfFile(input);
}

ServiceCaller::ServiceCaller(QObject* parent) : QObject(parent) {}
ServiceCaller::~ServiceCaller() = default;

void ServiceCaller::ask(const serve::ServiceView& service, const QString& model, const QString& version,
                        const ServiceBody& body, std::function<void(Result<ServiceAnswer>)> done) {
    const ServiceAddress address = addressFromHere(service);
    if (!address.isKnown())
        return done(environmentError(CallWords::tr("has no address yet").toStdString(), service.spec.name,
                                     CallWords::tr("ask again once it is ready").toStdString()));
    auto token = serve::tokenOf(service.folder);
    if (!token) return done(token.error());
    if (!address.socket.isEmpty())
        return inBackground(
            this,
            [socket = address.socket, path = predictPath(model, version), body, held = *token] {
                return askSocket(socket, path, body, held);
            },
            std::move(done));
    QUrl url(address.url() + predictPath(model, version));
    url.setHost(address.host);
    QNetworkRequest request(url);
    request.setHeader(QNetworkRequest::ContentTypeHeader, body.type);
    request.setRawHeader("Authorization", "Bearer " + QByteArray::fromStdString(*token));
    // The token goes to this service alone.
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setTransferTimeout(kDeadlineMs);
    if (m_network == nullptr) {
        m_network = new QNetworkAccessManager(this);
        m_network->setProxy(QNetworkProxy::NoProxy);
    }
    QElapsedTimer clock;
    clock.start();
    QNetworkReply* reply = m_network->post(request, body.bytes);
    trustOwnCertificate(reply, address.identity);
    connect(reply, &QNetworkReply::downloadProgress, reply, [reply](qint64 received, qint64) {
        if (received > kLargestAnswer) reply->abort();
    });
    connect(reply, &QNetworkReply::finished, this, [this, reply, clock, done = std::move(done)] {
        finish(reply, static_cast<double>(clock.nsecsElapsed()) / 1e6, done);
    });
}

void ServiceCaller::finish(QNetworkReply* reply, double milliseconds,
                           const std::function<void(Result<ServiceAnswer>)>& done) {
    reply->deleteLater();
    const QString url = reply->url().toDisplayString();
    const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (status == 0)
        return done(environmentError(reply->errorString().toStdString(), url.toStdString(),
                                     CallWords::tr("see whether the service still runs").toStdString()));
    done(answerOf(status, reply->readAll(), QString::fromUtf8(reply->rawHeader("X-Model-Version")), milliseconds, url));
}

} // namespace trainyard::ui
