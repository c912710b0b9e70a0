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

// A number that a program has printed, and the name before it.
struct PrintedNumber {
    TextRange range{};
    QString name{};
    bool isTaken = false; // it is a point of the curves
};

// Rule: which numbers of a line that a program has printed have become points of its curves.
// Those under a name of which `isSeries` says that the run has a series of it. The others that have a name are told,
// too: somebody may take them.
QList<PrintedNumber> printedNumbers(const QString& line, const std::function<bool(const QString& name)>& isSeries);

} // namespace trainyard::ui
