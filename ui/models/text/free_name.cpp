// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/text/free_name.h"

namespace trainyard::ui {

QString freeName(const QString& name, const QStringList& taken) {
    QString free = name;
    for (int number = 2; taken.contains(free); ++number) free = QStringLiteral("%1-%2").arg(name).arg(number);
    return free;
}

} // namespace trainyard::ui
