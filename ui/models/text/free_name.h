// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace trainyard::ui {

// The name, or with the first number behind it that none of the taken ones has: "fashion", "fashion-2".
QString freeName(const QString& name, const QStringList& taken);

} // namespace trainyard::ui
