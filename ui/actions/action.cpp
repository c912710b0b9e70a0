// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/action.h"

#include "ui/theme/icon.h"

#include <QCoreApplication>
#include <QMenu>

#include <algorithm>
#include <string_view>

namespace trainyard::ui {

const Action& action(const char* id) {
    const auto at = std::find_if(actions().begin(), actions().end(),
                                 [id](const Action& each) { return std::string_view(each.id) == id; });
    if (at == actions().end()) qFatal("there is no action %s", id);
    return *at;
}

QString actionText(const Action& action) { return QCoreApplication::translate("Action", action.text); }

QString actionName(const Action& action) {
    const QString text = actionText(action);
    return text.endsWith(QChar(0x2026)) ? text.chopped(1) : text;
}

QString actionKeys(const Action& action) {
    return QString::fromLatin1(action.keys).replace(QLatin1Char('+'), QLatin1Char(' '));
}

QString actionTip(const Action& action) {
    const QString tip = action.tip ? QCoreApplication::translate("Action", action.tip) : actionName(action);
    return *action.keys == '\0' ? tip : tip + QStringLiteral("  ") + QLatin1String(action.keys);
}

bool isOffered(const Action& action, const ActionTarget& target) {
    if (action.scope != ActionScope::Window && !target.run) return false;
    return !action.offered || action.offered(target);
}

void addActions(QMenu& menu, std::initializer_list<const char*> ids, const ActionTarget& target) {
    for (const char* id : ids) {
        if (*id == '\0') {
            menu.addSeparator();
            continue;
        }
        const Action& each = action(id);
        if (!isOffered(each, target)) continue;
        auto* entry = menu.addAction(*each.icon == '\0' ? QIcon() : icon(QLatin1String(each.icon)), actionText(each));
        if (*each.keys != '\0') entry->setText(entry->text() + QLatin1Char('\t') + QLatin1String(each.keys));
        if (each.danger) entry->setProperty("kind", QByteArray("danger"));
        QObject::connect(entry, &QAction::triggered, target.parent, [&each, target] {
            // The run may have gone on since the menu was opened.
            ActionTarget now = target;
            if (const RunItemPtr run = target.run ? target.bench.feed.run(target.run->id) : nullptr) now.run = run;
            each.act(now);
        });
    }
}

} // namespace trainyard::ui
