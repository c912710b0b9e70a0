// SPDX-License-Identifier: GPL-3.0-or-later
// The engine's texts, marked there with Engine::tr(), in the language of the window.
#pragma once

#include "engine/base/text/sentence.h"
#include "engine/run/record/run_score.h"
#include "engine/wire/messages.h"

#include <QString>

#include <string>

namespace trainyard::ui {

// Rule: the engine's texts in the window's language.
// A title, help, unit or word. A text that is not marked, such as a plug-in's, stays as it is.
QString engineText(const std::string& text);
QString engineSentence(const Sentence& sentence);

// What a rank says that it is doing: "compute the features, batch 12".
QString doingText(const std::string& doing);
// A rank's activity or end: "backward", "lost".
QString activityText(const wire::WorkerState& worker);

// What of a series: "best", "last", "min", "max".
QString aspectText(run::Aspect aspect);

} // namespace trainyard::ui
