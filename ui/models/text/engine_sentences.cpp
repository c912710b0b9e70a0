// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/text/engine_sentences.h"

#include "engine/base/text/amounts.h"
#include "engine/base/text/printable.h"
#include "engine/spec/values/params_text.h"

#include <QCoreApplication>

#include <cmath>

namespace trainyard::ui {

namespace {

struct SentenceWords {
    Q_DECLARE_TR_FUNCTIONS(Sentences)
};

QString shown(const std::string& text) { return QString::fromStdString(printable(text, 60)); }

QString pointText(const spec::Params& params) {
    QStringList parts;
    for (const auto& [path, value] : params)
        parts << QString::fromStdString(path + '=' + printable(spec::toText(value), 80));
    return parts.join(QStringLiteral(", "));
}

QString settingText(const sweep::Steering& steering) {
    QStringList parts;
    if (steering.parallel)
        parts << (*steering.parallel == 0 ? SentenceWords::tr("as many slots as the cores allow")
                                          : SentenceWords::tr("%n slots", nullptr, *steering.parallel));
    if (steering.trials) parts << SentenceWords::tr("%n configurations", nullptr, *steering.trials);
    return parts.size() == 2 ? SentenceWords::tr("%1 and %2").arg(parts[0], parts[1]) : parts.join(QString());
}

QString numberText(double value) { return QString::number(value, 'g', 6); }

QString because(const QString& text, const store::RunEventRow& event) {
    return event.reason.empty() ? text : QStringLiteral("%1: %2").arg(text, QString::fromStdString(event.reason));
}

QString changeText(const QString& what, const store::RunEventRow& event) {
    if (!std::isfinite(event.after)) return what;
    const QString after = numberText(event.after);
    return std::isfinite(event.before) ? QStringLiteral("%1 %2 → %3").arg(what, numberText(event.before), after)
                                       : SentenceWords::tr("%1 set to %2").arg(what, after);
}

} // namespace

QString waitText(const queue::QueueEntry& entry) {
    const queue::Verdict& verdict = entry.verdict;
    switch (verdict.wait) {
    case queue::Wait::None: return SentenceWords::tr("starts now");
    case queue::Wait::Paused: return SentenceWords::tr("the queue is paused");
    case queue::Wait::SlotsFull:
        return SentenceWords::tr("waits for a slot: %1 of %2 taken").arg(verdict.needed).arg(verdict.free);
    case queue::Wait::HostBusy:
        return SentenceWords::tr("waits for %1, which %2 has").arg(shown(verdict.host), shown(entry.by));
    case queue::Wait::DeviceBusy:
        if (!verdict.host.empty())
            return SentenceWords::tr("waits for CUDA devices of %1: it needs %2, %3 free")
                .arg(shown(verdict.host))
                .arg(verdict.needed)
                .arg(verdict.free);
        return SentenceWords::tr("waits for CUDA devices: it needs %1, %2 free").arg(verdict.needed).arg(verdict.free);
    case queue::Wait::MemoryBusy: {
        const auto needed = QString::fromStdString(trainyard::bytesText(verdict.needed));
        const auto free = QString::fromStdString(trainyard::bytesText(verdict.free));
        if (!verdict.host.empty())
            return SentenceWords::tr("waits for memory of %1: it needs %2, %3 free")
                .arg(shown(verdict.host), needed, free);
        return SentenceWords::tr("waits for memory: it needs %1, %2 free").arg(needed, free);
    }
    case queue::Wait::CoresBusy:
        if (!verdict.host.empty())
            return SentenceWords::tr("waits for cores of %1: it needs %2, %3 free")
                .arg(shown(verdict.host))
                .arg(verdict.needed)
                .arg(verdict.free);
        return SentenceWords::tr("waits for cores: it needs %1, %2 free").arg(verdict.needed).arg(verdict.free);
    case queue::Wait::Earlier: return SentenceWords::tr("waits for its turn after %1").arg(shown(entry.by));
    }
    return {};
}

QString steeringText(const sweep::Steering& steering) {
    using Verb = sweep::Steering::Verb;
    switch (steering.verb) {
    case Verb::Stop: return SentenceWords::tr("stopped trial %1").arg(steering.trial);
    case Verb::Kill: return SentenceWords::tr("killed trial %1").arg(steering.trial);
    case Verb::Promote: return SentenceWords::tr("promoted trial %1").arg(steering.trial);
    case Verb::Retry: return SentenceWords::tr("retried trial %1").arg(steering.trial);
    case Verb::Add: return SentenceWords::tr("added %n configurations", nullptr, steering.count);
    case Verb::Enqueue: return SentenceWords::tr("enqueued %1").arg(pointText(steering.params));
    case Verb::Restrict:
        return SentenceWords::tr("restricted %1").arg(QString::fromStdString(spec::toText(steering.restriction)));
    case Verb::Set: return SentenceWords::tr("set %1").arg(settingText(steering));
    case Verb::Pause: return SentenceWords::tr("paused the sweep");
    case Verb::Resume: return SentenceWords::tr("resumed the sweep");
    case Verb::Finish: return SentenceWords::tr("asked the sweep to finish");
    }
    return {};
}

QString runEventText(const store::RunEventRow& event) {
    using Kind = store::RunEventKind;
    switch (event.kind) {
    case Kind::Started:
        return std::isfinite(event.after)
                   ? SentenceWords::tr("started with %n workers", nullptr, static_cast<int>(event.after))
                   : SentenceWords::tr("started");
    case Kind::Resumed: return because(SentenceWords::tr("resumed from step %1").arg(event.step), event);
    case Kind::Restarted: return because(SentenceWords::tr("restarted from step %1").arg(event.step), event);
    case Kind::Replaced:
        return event.reason.empty() ? SentenceWords::tr("rank %1 replaced").arg(event.rank)
                                    : SentenceWords::tr("rank %1 %2; replaced")
                                          .arg(event.rank)
                                          .arg(QString::fromStdString(event.reason));
    case Kind::Workers: return because(changeText(SentenceWords::tr("workers"), event), event);
    case Kind::LearningRate: return changeText(SentenceWords::tr("learning rate"), event);
    case Kind::RolledBack: return because(SentenceWords::tr("rolled back to step %1").arg(event.step), event);
    case Kind::Unknown: break;
    }
    return because(SentenceWords::tr("event of a newer version"), event);
}

QString checkpointsTakeText(const run::DiskForecast& forecast) {
    const auto bytes = [](std::int64_t count) { return QString::fromStdString(trainyard::bytesText(count)); };
    return forecast.mostBytes > forecast.bytes
               ? SentenceWords::tr("checkpoints take %1, at most %2; %3 are free")
                     .arg(bytes(forecast.bytes), bytes(forecast.mostBytes), bytes(forecast.freeBytes))
               : SentenceWords::tr("checkpoints take %1; %2 are free")
                     .arg(bytes(forecast.bytes), bytes(forecast.freeBytes));
}

QString slotsText(const sweep::SlotCount& count) {
    const QString slots = SentenceWords::tr("%n slots", nullptr, count.slots);
    const QString workers = SentenceWords::tr("%n workers", nullptr, count.workers);
    const QString cores = SentenceWords::tr("%n cores", nullptr, count.cores);
    const QString trial = SentenceWords::tr("%1 of %n threads each", nullptr, count.threads).arg(workers);
    switch (count.why) {
    case sweep::SlotCount::Why::Hosts:
        if (count.onEach == 1) return SentenceWords::tr("%1: one on each host, %2 each").arg(slots, workers);
        return SentenceWords::tr("%1: %n on each host, %2 each", nullptr, count.onEach).arg(slots, workers);
    case sweep::SlotCount::Why::Asked: return SentenceWords::tr("%1, as asked for: %2, %3").arg(slots, cores, trial);
    case sweep::SlotCount::Why::Devices:
    case sweep::SlotCount::Why::Cores: break;
    }
    const QString places = count.why == sweep::SlotCount::Why::Devices
                               ? SentenceWords::tr("%n CUDA devices", nullptr, count.devices)
                               : cores;
    if (count.onEach == 1) return SentenceWords::tr("%1: %2, %3").arg(slots, places, trial);
    return SentenceWords::tr("%1: %2, %n trials on each, %3", nullptr, count.onEach).arg(slots, places, trial);
}

} // namespace trainyard::ui
