// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/taken_values.h"

#include "engine/imports/printed/printed_line.h"

#include <QRegularExpression>

#include <cmath>

namespace trainyard::ui {

QList<TextRange> takenValues(const QString& line, const std::function<bool(const QString& name)>& isSeries) {
    static const QRegularExpression number(
        QStringLiteral("[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?|[-+]?nan|[-+]?inf"),
        QRegularExpression::CaseInsensitiveOption);
    const std::string bytes = line.toStdString();
    const auto read = imports::readPrintedLine(bytes);
    QList<TextRange> found;
    qsizetype from = 0;
    for (const auto& value : read.values) {
        const QString printed = QString::fromStdString(value.name);
        const QString name = QString::fromStdString(imports::nameWithin(read.heldOut, value.name));
        const auto behind = line.indexOf(printed, from);
        if (behind >= 0) from = behind + printed.size();
        if (!isSeries(name)) continue;
        for (auto each = number.globalMatch(line, from); each.hasNext();) {
            const auto match = each.next();
            const double told = match.captured().toDouble();
            if (told != value.value && !(std::isnan(told) && std::isnan(value.value))) continue;
            found << TextRange{match.capturedStart(), match.capturedLength()};
            from = match.capturedEnd();
            break;
        }
    }
    return found;
}

} // namespace trainyard::ui
