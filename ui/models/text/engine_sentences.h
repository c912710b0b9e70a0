// SPDX-License-Identifier: GPL-3.0-or-later
// Rule: the engine's states in the window's language.
// What the engine says of states in sentences, in the language of the window. In English they are the engine's own,
// which the terminal prints; translation_test compares them.
#pragma once

#include "engine/queue/run_queue.h"
#include "engine/run/record/disk_forecast.h"
#include "engine/store/run_events.h"
#include "engine/sweep/judge/slot_count.h"
#include "engine/sweep/values/steering.h"

#include <QString>

namespace trainyard::ui {

// As queue::describe: "waits for a slot: 1 of 1 taken".
QString waitText(const queue::QueueEntry& entry);
// As sweep::describe: "promoted trial 3".
QString steeringText(const sweep::Steering& steering);
// As sweep::toText: "2 slots: 2 cores, 1 worker of 1 thread each".
QString slotsText(const sweep::SlotCount& count);

// As store::eventText: "learning rate 0.1 → 0.05".
QString runEventText(const store::RunEventRow& event);
// As run::diskText: "checkpoints take 1.2 GB, at most 2.4 GB; 41 GB are free".
QString checkpointsTakeText(const run::DiskForecast& forecast);

} // namespace trainyard::ui
