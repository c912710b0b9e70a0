// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

#include <functional>

namespace trainyard::ui {

// Characters of a line: the first one, and how many.
struct TextRange {
    qsizetype begin = 0, size = 0;
    bool operator==(const TextRange&) const = default;
};

// Rule: which numbers of a line that a program has printed have become points of its curves.
// Those under a name of which `isSeries` says that the run has a series of it.
QList<TextRange> takenValues(const QString& line, const std::function<bool(const QString& name)>& isSeries);

} // namespace trainyard::ui
