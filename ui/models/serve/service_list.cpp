// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/serve/service_list.h"

#include "ui/models/serve/service_words.h"

namespace trainyard::ui {

namespace {

// With the host that it lives on, whose port is forwarded here.
QString placeOf(const serve::ServiceView& service) {
    const QString home = QString::fromStdString(service.spec.on);
    return home.isEmpty() ? addressOf(service) : ServiceList::tr("%1 · on %2").arg(addressOf(service), home);
}

QString figuresOf(const serve::ServiceView& service) {
    const serve::ServiceStatus& status = service.status;
    if (!status.reason.empty() && status.state != serve::ServiceState::Ready)
        return QString::fromStdString(status.reason);
    if (!service.isServed)
        return status.processesLeft < 0 ? QString()
                                        : ServiceList::tr("%n processes left", nullptr, status.processesLeft);
    if (!(status.p50Ms > 0)) return rateText(status.qps);
    return ServiceList::tr("%1 · p50 %2 · p99 %3")
        .arg(rateText(status.qps), latencyText(status.p50Ms), latencyText(status.p99Ms));
}

} // namespace

ServiceList::ServiceList(ServiceWatch& watch, QObject* parent) : QAbstractListModel(parent), m_watch(watch) {
    connect(&watch, &ServiceWatch::changed, this, &ServiceList::refresh);
    refresh();
}

void ServiceList::refresh() {
    QStringList names;
    for (const auto& each : m_watch.services()) names << QString::fromStdString(each.spec.name);
    if (names == m_names) {
        if (!names.isEmpty()) Q_EMIT dataChanged(index(0), index(static_cast<int>(names.size()) - 1));
        return;
    }
    beginResetModel();
    m_names = names;
    endResetModel();
    Q_EMIT listed();
}

int ServiceList::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_names.size());
}

int ServiceList::rowOf(const QString& name) const { return static_cast<int>(m_names.indexOf(name)); }

QVariant ServiceList::data(const QModelIndex& index, int role) const {
    const auto& services = m_watch.services();
    const auto row = static_cast<std::size_t>(index.row());
    if (!index.isValid() || row >= services.size()) return {};
    const serve::ServiceView& service = services[row];
    const bool failed = service.status.state == serve::ServiceState::Failed;
    switch (role) {
    case Qt::DisplayRole: return QString::fromStdString(service.spec.name);
    case StateRole: return stateText(service.status.state);
    case TintRole: return static_cast<int>(tintOf(service.status.state));
    case AddressRole: return placeOf(service);
    case FiguresRole: return figuresOf(service);
    case FailedRole: return failed;
    case Qt::ToolTipRole: return QString::fromStdString(service.status.reason);
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1, %2, %3, %4")
            .arg(QString::fromStdString(service.spec.name), stateText(service.status.state), placeOf(service),
                 figuresOf(service));
    default: return {};
    }
}

} // namespace trainyard::ui
