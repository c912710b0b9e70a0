// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/home/residence.h"

#include "engine/run/mirror/mirror_copy.h"
#include "engine/spec/run/host_ranks.h"
#include "ui/models/text/format.h"

#include <QCoreApplication>

namespace trainyard::ui {

namespace {

struct ResidenceWords {
    Q_DECLARE_TR_FUNCTIONS(Residence)
};

} // namespace

bool Residence::isJob() const { return host == QLatin1String(spec::kSlurmHost); }

bool Residence::hasFile(const store::CheckpointRow& checkpoint) const { return isHere() || run::isFetched(checkpoint); }

std::string Residence::nameHere(const std::string& name) const {
    return isHere() || !(name.empty() || spec::isThisComputer(name)) ? name : host.toStdString();
}

QString Residence::text() const {
    if (isHere()) return {};
    return isJob() ? ResidenceWords::tr("Slurm job") : ResidenceWords::tr("lives on %1").arg(host);
}

QString Residence::after(const QString& about) const {
    const QString lives = text();
    return lives.isEmpty() ? about : about + QStringLiteral(", ") + lives;
}

QString Residence::on(const QString& what) const {
    if (isHere()) return what;
    return what.isEmpty() ? ResidenceWords::tr("on %1").arg(host) : ResidenceWords::tr("%1, on %2").arg(what, host);
}

QString Residence::outOfReachText() const {
    if (!isOutOfReach()) return {};
    const QString since = clockText(link.sinceMs);
    if (link.code == ErrorCode::SignInRefused) return ResidenceWords::tr("No sign-in to %1 since %2").arg(host, since);
    return ResidenceWords::tr("%1 has been unreachable since %2").arg(host, since);
}

QString Residence::linkWord() const {
    return isOutOfReach() ? ResidenceWords::tr("Unreachable") : ResidenceWords::tr("Connecting");
}

} // namespace trainyard::ui
