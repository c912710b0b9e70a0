// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/text/engine_text.h"

#include <QCoreApplication>

namespace trainyard::ui {

QString engineText(const std::string& text) { return QCoreApplication::translate("Engine", text.c_str()); }

QString engineSentence(const Sentence& sentence) {
    return QString::fromStdString(sentence.text([](const Sentence& each) {
        return QCoreApplication::translate("Engine", each.format, each.one, each.count).toStdString();
    }));
}

QString activityText(const wire::WorkerState& worker) {
    if (worker.status != wire::RankStatus::Running) return engineText(toString(worker.status));
    const std::string& doing = worker.beat.doing;
    const auto blank = doing.find_last_of(' '); // numbered activities have the number last
    const bool numbered =
        blank != std::string::npos && doing.find_first_not_of("0123456789", blank + 1) == std::string::npos;
    return numbered ? engineText(doing.substr(0, blank)) + QString::fromStdString(doing.substr(blank))
                    : engineText(doing);
}

} // namespace trainyard::ui
