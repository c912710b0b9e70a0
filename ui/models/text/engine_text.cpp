// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/text/engine_text.h"

#include "ui/models/text/format.h"

#include <QCoreApplication>

namespace trainyard::ui {

QString engineText(const std::string& text) { return QCoreApplication::translate("Engine", text.c_str()); }

QString engineSentence(const Sentence& sentence) {
    return localText(QString::fromStdString(sentence.text([](const Sentence& each) {
        return QCoreApplication::translate("Engine", each.format, each.one, each.count).toStdString();
    })));
}

QString doingText(const std::string& doing) {
    const auto blank = doing.find_last_of(' '); // numbered activities have the number last
    const bool numbered =
        blank != std::string::npos && doing.find_first_not_of("0123456789", blank + 1) == std::string::npos;
    return numbered ? engineText(doing.substr(0, blank)) + QString::fromStdString(doing.substr(blank))
                    : engineText(doing);
}

QString activityText(const wire::WorkerState& worker) {
    return worker.status == wire::RankStatus::Running ? doingText(worker.beat.doing)
                                                      : engineText(toString(worker.status));
}

QString aspectText(run::Aspect aspect) {
    switch (aspect) {
    case run::Aspect::Best: return QCoreApplication::translate("SeriesWords", "best");
    case run::Aspect::Last: return QCoreApplication::translate("SeriesWords", "last");
    case run::Aspect::Min: return QCoreApplication::translate("SeriesWords", "min");
    case run::Aspect::Max: return QCoreApplication::translate("SeriesWords", "max");
    }
    return {};
}

} // namespace trainyard::ui
