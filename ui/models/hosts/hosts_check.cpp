// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/hosts/hosts_check.h"

#include "engine/spec/run/host_ranks.h"
#include "ui/models/desktop/background.h"
#include "ui/models/new_run/catalog_loader.h"

#ifdef TRAINYARD_REMOTE
#include "remote/book/host_book.h"
#include "remote/hosts/host_probe.h"
#endif

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr qint64 kKeptMs = 30 * 1000; // after that, failed hosts are checked again

#ifdef TRAINYARD_REMOTE

// The host's problem, and whether it may be a failed connection. A single host needs no port.
QList<HostsCheck::Finding> probe(const QString& from, const QString& to, bool needsWorker) {
    const auto book = remote::HostBook::load();
    if (!book) return {HostsCheck::Finding{to, {}, QString::fromStdString(book.error().text()), {}}};
    const auto host = book->resolve(to.toStdString());
    if (!host) return {HostsCheck::Finding{to, {}, QString::fromStdString(host.error().text()), {}}};
    remote::ProbeOptions options;
    if (needsWorker) options.workerProgram = CatalogLoader::workerProgram();
    if (!from.isEmpty() && from != to)
        if (const auto peer = book->resolve(from.toStdString())) options.peer = *peer;
    QList<HostsCheck::Finding> found;
    for (const auto& check : remote::probeHost(*host, options).checks) {
        if (check.ok || !check.made || (from == to && check.name == "ports")) continue;
        found << HostsCheck::Finding{to, QString::fromStdString(check.name), QString::fromStdString(check.detail),
                                     QString::fromStdString(check.fix), check.code == ErrorCode::SignInRefused};
    }
    return found;
}

#endif

} // namespace

void HostsCheck::ask(const QStringList& hosts) {
    const bool isOld = !isBusy() && !m_findings.isEmpty() && m_age.isValid() && m_age.elapsed() > kKeptMs;
    if (hosts == m_hosts && !isOld) return;
    m_hosts = hosts;
    m_found.clear();
    m_findings.clear();
    ++m_round;
    std::vector<std::string> names;
    for (const QString& host : hosts) names.push_back(host.toStdString());
    const auto ways = spec::waysToTry(names);
    m_left = static_cast<int>(ways.size());
    for (const auto& [from, to] : ways) start(QString::fromStdString(from), QString::fromStdString(to));
    Q_EMIT changed();
}

void HostsCheck::start(const QString& from, const QString& to) {
#ifdef TRAINYARD_REMOTE
    inBackground(
        this, [from, to, needsWorker = m_needsWorker] { return probe(from, to, needsWorker); },
        [this, round = m_round](const QList<Finding>& found) {
            if (round == m_round) take(found);
        });
#else
    (void)from;
    (void)to;
    m_left = 0;
#endif
}

// Reports an unreachable host once, even if several hosts tried it.
void HostsCheck::take(const QList<Finding>& found) {
    for (const Finding& each : found) {
        const bool known = std::any_of(m_found.begin(), m_found.end(), [&](const Finding& other) {
            return other.host == each.host && other.check == each.check;
        });
        if (!known) m_found << each;
    }
    if (--m_left > 0) return;
    m_findings = m_found;
    std::stable_sort(m_findings.begin(), m_findings.end(), [this](const Finding& a, const Finding& b) {
        return m_hosts.indexOf(a.host) < m_hosts.indexOf(b.host);
    });
    m_age.start();
    Q_EMIT changed();
}

const HostsCheck::Finding* HostsCheck::find(bool ports) const {
    const auto at = std::find_if(m_findings.begin(), m_findings.end(), [ports](const Finding& each) {
        return (each.check == QLatin1String("ports")) == ports;
    });
    return at == m_findings.end() ? nullptr : &*at;
}

QStringList hostAliases() {
    QStringList aliases;
#ifdef TRAINYARD_REMOTE
    if (const auto book = remote::HostBook::load())
        for (const auto& host : book->hosts()) aliases << QString::fromStdString(host.alias);
#endif
    return aliases;
}

} // namespace trainyard::ui
