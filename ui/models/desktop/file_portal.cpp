// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/desktop/file_portal.h"

#include <QDBusArgument>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusMetaType>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QFile>
#include <QUrl>

namespace trainyard::ui {

// The types of the portal: a(us) and (sa(us)).
struct PortalPattern {
    uint kind = 0; // a glob
    QString glob{};
};
struct PortalFilter {
    QString title{};
    QList<PortalPattern> patterns{};
};

QDBusArgument& operator<<(QDBusArgument& argument, const PortalPattern& pattern) {
    argument.beginStructure();
    argument << pattern.kind << pattern.glob;
    argument.endStructure();
    return argument;
}
const QDBusArgument& operator>>(const QDBusArgument& argument, PortalPattern& pattern) {
    argument.beginStructure();
    argument >> pattern.kind >> pattern.glob;
    argument.endStructure();
    return argument;
}
QDBusArgument& operator<<(QDBusArgument& argument, const PortalFilter& filter) {
    argument.beginStructure();
    argument << filter.title << filter.patterns;
    argument.endStructure();
    return argument;
}
const QDBusArgument& operator>>(const QDBusArgument& argument, PortalFilter& filter) {
    argument.beginStructure();
    argument >> filter.title >> filter.patterns;
    argument.endStructure();
    return argument;
}

namespace {

const QString kPortal = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPortalPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kChooser = QStringLiteral("org.freedesktop.portal.FileChooser");
constexpr uint kChoosesFolders = 3;                     // the first version that does
constexpr int kAnswerMs = 3000, kWholeDayMs = 86400000; // until the dialog is there, and until it is answered

// "Tables (*.csv *.tsv)" as its title and its patterns.
PortalFilter portalFilter(const QString& filter) {
    PortalFilter result{filter};
    const auto open = filter.lastIndexOf(QLatin1Char('('));
    for (const QString& glob : filter.mid(open + 1).chopped(1).split(QLatin1Char(' '), Qt::SkipEmptyParts))
        result.patterns << PortalPattern{0, glob};
    return result;
}

// What a portal takes as a path: its bytes with a zero behind them.
QByteArray portalPath(const QString& path) { return QFile::encodeName(path) + '\0'; }

QVariantMap portalOptions(const FileQuestion& question, const QString& folder, const QString& token) {
    using Kind = FileQuestion::Kind;
    QVariantMap options{{QStringLiteral("handle_token"), token},
                        {QStringLiteral("modal"), true},
                        {QStringLiteral("current_folder"), portalPath(folder)}};
    if (question.kind == Kind::Files) options[QStringLiteral("multiple")] = true;
    if (question.kind == Kind::Folder) options[QStringLiteral("directory")] = true;
    if (question.kind == Kind::NewFile && !question.name.isEmpty())
        options[QStringLiteral("current_name")] = question.name;
    QList<PortalFilter> filters;
    for (const QString& filter : question.filters) filters << portalFilter(filter);
    if (!filters.isEmpty()) options[QStringLiteral("filters")] = QVariant::fromValue(filters);
    return options;
}

} // namespace

} // namespace trainyard::ui

Q_DECLARE_METATYPE(trainyard::ui::PortalPattern)
Q_DECLARE_METATYPE(trainyard::ui::PortalFilter)

namespace trainyard::ui {

void FilePortal::ask(const FileQuestion& question, const QString& folder, const QString& window) {
    auto bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return refuse();
    qDBusRegisterMetaType<PortalPattern>();
    qDBusRegisterMetaType<QList<PortalPattern>>();
    qDBusRegisterMetaType<PortalFilter>();
    qDBusRegisterMetaType<QList<PortalFilter>>();
    // A portal without a program that shows dialogs has no such property.
    auto call = QDBusMessage::createMethodCall(kPortal, kPortalPath, QStringLiteral("org.freedesktop.DBus.Properties"),
                                               QStringLiteral("Get"));
    call << kChooser << QStringLiteral("version");
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call, kAnswerMs), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [=, this](QDBusPendingCallWatcher* done) {
        const QDBusPendingReply<QDBusVariant> reply = *done;
        const uint version = reply.isValid() ? reply.value().variant().toUInt() : 0;
        const uint needed = question.kind == FileQuestion::Kind::Folder ? kChoosesFolders : 1;
        if (version < needed) refuse();
        else send(question, folder, window);
    });
}

void FilePortal::send(const FileQuestion& question, const QString& folder, const QString& window) {
    auto bus = QDBusConnection::sessionBus();
    static int count = 0;
    const QString token = QStringLiteral("trainyard%1").arg(++count);
    // Where the answer comes from is known before the question is sent, so that it cannot be missed.
    const QString sender = bus.baseService().mid(1).replace(QLatin1Char('.'), QLatin1Char('_'));
    bus.connect(kPortal, kPortalPath + QStringLiteral("/request/%1/%2").arg(sender, token),
                QStringLiteral("org.freedesktop.portal.Request"), QStringLiteral("Response"), this,
                SLOT(onResponse(uint, QVariantMap)));
    const bool isNew = question.kind == FileQuestion::Kind::NewFile;
    auto call = QDBusMessage::createMethodCall(kPortal, kPortalPath, kChooser,
                                               isNew ? QStringLiteral("SaveFile") : QStringLiteral("OpenFile"));
    call << window << question.title << portalOptions(question, folder, token);
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call, kWholeDayMs), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* done) {
        if (done->isError()) refuse();
    });
}

void FilePortal::refuse() {
    Q_EMIT refused();
    deleteLater();
}

void FilePortal::onResponse(uint response, const QVariantMap& results) {
    ChosenFiles chosen;
    if (response == 0)
        for (const QString& uri : results.value(QStringLiteral("uris")).toStringList())
            if (const QUrl url(uri); url.isLocalFile()) chosen.paths << url.toLocalFile();
    const QVariant filter = results.value(QStringLiteral("current_filter"));
    if (filter.canConvert<QDBusArgument>()) chosen.filter = qdbus_cast<PortalFilter>(filter).title;
    Q_EMIT answered(chosen);
    deleteLater();
}

} // namespace trainyard::ui
