// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/serve/service_address.h"

#include <QHostAddress>
#include <QUrl>

#include <algorithm>

namespace trainyard::ui {

namespace {

// The host where the certificate holds it; else its first name that is no pattern.
QString nameIn(const QSslCertificate& certificate, const QString& host) {
    const auto names = certificate.subjectAlternativeNames();
    const QHostAddress address(host);
    for (const QString& each : names.values(QSsl::IpAddressEntry))
        if (QHostAddress(each) == address) return host;
    if (names.values(QSsl::DnsEntry).contains(host)) return host;
    for (const QString& each : names.values(QSsl::DnsEntry))
        if (!each.contains(QLatin1Char('*'))) return each;
    const QStringList subject = certificate.subjectInfo(QSslCertificate::CommonName);
    return subject.isEmpty() || !names.isEmpty() ? host : subject.first();
}

} // namespace

QString ServiceAddress::url() const {
    if (!socket.isEmpty()) return QStringLiteral("http://localhost");
    QUrl url;
    url.setScheme(certificate.isEmpty() ? QStringLiteral("http") : QStringLiteral("https"));
    url.setHost(name);
    url.setPort(port);
    return url.toString();
}

QString ServiceAddress::endpoint() const {
    return (host.contains(QLatin1Char(':')) ? QStringLiteral("[%1]:%2") : QStringLiteral("%1:%2")).arg(host).arg(port);
}

ServiceAddress addressFromHere(const serve::ServiceView& service) {
    ServiceAddress address;
    address.socket = QString::fromStdString(service.spec.socket);
    if (!address.socket.isEmpty()) return address;
    const QUrl url(QString::fromStdString(service.status.url.empty() ? service.spec.url() : service.status.url));
    address.port = std::max(0, url.port());
    const QHostAddress host(url.host());
    address.host = host == QHostAddress::AnyIPv4   ? QStringLiteral("127.0.0.1")
                   : host == QHostAddress::AnyIPv6 ? QStringLiteral("::1")
                                                   : url.host();
    address.name = address.host;
    address.certificate = QString::fromStdString(service.spec.certificate);
    if (address.certificate.isEmpty()) return address;
    const auto held = QSslCertificate::fromPath(address.certificate);
    if (held.isEmpty()) return address;
    address.identity = held.first();
    address.name = nameIn(address.identity, address.host);
    return address;
}

} // namespace trainyard::ui
