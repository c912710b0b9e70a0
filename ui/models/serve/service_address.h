// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serve/control/service_folder.h"

#include <QSslCertificate>
#include <QString>

namespace trainyard::ui {

// Rule: how a service is reached from this computer.
// By its socket where it has one. A service of all addresses by the loopback one; one with a certificate by the first
// name in that, whatever this computer's name server knows of it.
struct ServiceAddress {
    QString socket{};         // a path; empty: by a port
    QString host{};           // an IP address
    QString name{};           // that its certificate holds; the host where there is none
    int port = 0;             // 0: not known yet
    QString certificate{};    // a file; empty: no TLS
    QSslCertificate identity; // what is in it; null where it cannot be read

    // "https://models.lab:8443"; of a socket "http://localhost".
    QString url() const;
    // "127.0.0.1:8443": what connects to it, and the name that the service answers to.
    QString endpoint() const;
    bool isKnown() const { return !socket.isEmpty() || port > 0; }
};
// Reads the certificate.
ServiceAddress addressFromHere(const serve::ServiceView& service);

} // namespace trainyard::ui
