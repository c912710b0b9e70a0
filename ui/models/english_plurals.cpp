// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/english_plurals.h"

#include <QRegularExpression>

namespace trainyard::ui {

QString EnglishPlurals::translate(const char*, const char* source, const char*, int n) const {
    // "%n runs" -> "%n run", "%n more epochs" -> "%n more epoch", "%n processes" -> "%n process".
    static const QRegularExpression counted(
        QStringLiteral("%n ((?:more |running "
                       ")?)(processes|cores|runs|GPUs|fields|hits|hosts|models|trials|values|workers|epochs|lines|"
                       "points|warnings|errors|classes|targets|tokens|combinations|checkpoints|tensors)\\b"));
    if (n != 1) return {};
    QString text = QString::fromUtf8(source);
    const auto match = counted.match(text);
    if (!match.hasMatch()) return {};
    const QString plural = match.captured(2);
    const qsizetype drop = plural.endsWith(QLatin1String("sses")) ? 2 : 1;
    return text.replace(match.capturedStart(2), plural.size(), plural.chopped(drop));
}

} // namespace trainyard::ui
