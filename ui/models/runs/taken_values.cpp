// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/taken_values.h"

#include "engine/imports/printed/printed_line.h"

#include <QRegularExpression>

#include <cmath>

namespace trainyard::ui {

QList<PrintedNumber> printedNumbers(const QString& line, const std::function<bool(const QString& name)>& isSeries) {
    static const QRegularExpression number(
        QStringLiteral("[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?|[-+]?nan|[-+]?inf"),
        QRegularExpression::CaseInsensitiveOption);
    const std::string bytes = line.toStdString();
    const auto read = imports::readPrintedLine(bytes, imports::PrintedWhich::Named);
    QList<PrintedNumber> found;
    qsizetype from = 0;
    for (const auto& value : read.values) {
        const QString printed = QString::fromStdString(value.name);
        const QString name = QString::fromStdString(imports::nameWithin(read.heldOut, value.name));
        const auto behind = line.indexOf(printed, from);
        if (behind >= 0) from = behind + printed.size();
        for (auto each = number.globalMatch(line, from); each.hasNext();) {
            const auto match = each.next();
            const double told = match.captured().toDouble();
            if (told != value.value && !(std::isnan(told) && std::isnan(value.value))) continue;
            found << PrintedNumber{{match.capturedStart(), match.capturedLength()}, name, isSeries(name)};
            from = match.capturedEnd();
            break;
        }
    }
    return found;
}

} // namespace trainyard::ui
