// SPDX-License-Identifier: GPL-3.0-or-later
// The words of the engine's tables in the language of the window: titles, help and units of the fields of run and sweep
// files, of models, datasets, optimizers, schedules, losses, searchers and schedulers.
#pragma once

#include "engine/wire/messages.h"

#include <QString>

#include <span>
#include <string>

namespace trainyard::ui {

// Rule: the engine's tables in the window's language.
// The translation of a text of these tables. A text that is none of theirs, such as a plug-in's, stays as it is.
QString engineText(const std::string& text);

// What a rank does, or how it ended: "backward", "lost".
QString activityText(const wire::WorkerState& worker);

// Those that have a translation.
std::span<const char* const> engineTexts();

} // namespace trainyard::ui
