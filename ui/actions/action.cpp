// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/action.h"

#include "ui/actions/key_bindings.h"
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

QString actionText(const Action& action, const RunItem* run) {
    const bool isOther = run && run->isProgram && action.ofProgram;
    return QCoreApplication::translate("Action", isOther ? action.ofProgram : action.text);
}

QString actionText(const Action& action) { return actionText(action, nullptr); }

QString actionName(const Action& action, const RunItem* run) {
    const QString text = actionText(action, run);
    return text.endsWith(QChar(0x2026)) ? text.chopped(1) : text;
}

QString actionName(const Action& action) { return actionName(action, nullptr); }

namespace {

QString keysText(const Action& action) {
    return KeyBindings::instance().keys(action).toString(QKeySequence::NativeText);
}

} // namespace

QString actionKeys(const Action& action) { return keysText(action).replace(QLatin1Char('+'), QLatin1Char(' ')); }

QString actionTip(const Action& action, const RunItem* run) {
    const char* words = run && run->isProgram && action.tipOfProgram ? action.tipOfProgram : action.tip;
    const QString tip = words ? QCoreApplication::translate("Action", words) : actionName(action, run);
    const QString keys = keysText(action);
    return keys.isEmpty() ? tip : tip + QStringLiteral("  ") + keys;
}

QString actionTip(const Action& action) { return actionTip(action, nullptr); }

namespace {

bool isFor(const Action& action, const ActionTarget& target, const RunItemPtr& run) {
    ActionTarget one = target;
    one.run = run;
    one.runs.clear();
    if (!run->home.isHere() && !action.elsewhere) return false;
    return !action.offered || action.offered(one);
}

QString menuText(const Action& action, const ActionTarget& target) {
    const auto runs = runsFor(action, target);
    if (runs.size() < 2) return actionText(action, runs.empty() ? target.run.get() : runs.front().get());
    const int count = static_cast<int>(runs.size()); // apart, as lupdate up to 6.8 passes over a cast in translate()
    return QCoreApplication::translate("Action", "%1 (%n runs)", nullptr, count).arg(actionText(action));
}

} // namespace

std::vector<RunItemPtr> runsFor(const Action& action, const ActionTarget& target) {
    if (target.runs.size() < 2) return target.run ? std::vector<RunItemPtr>{target.run} : std::vector<RunItemPtr>{};
    std::vector<RunItemPtr> runs;
    for (const RunItemPtr& run : target.runs)
        if (isFor(action, target, run)) runs.push_back(run);
    return runs;
}

bool isOffered(const Action& action, const ActionTarget& target) {
    if (action.scope == ActionScope::Window) return !action.offered || action.offered(target);
    if (target.runs.size() > 1) return action.many && !runsFor(action, target).empty();
    return target.run && isFor(action, target, target.run);
}

ActionTarget targetOf(const Action& action, Workbench& bench, QWidget* parent) {
    ActionTarget target{bench, bench.feed.run(bench.selection.current()), parent};
    if (!action.ofSelection) return target;
    for (const QString& id : bench.selection.selected())
        if (const auto run = bench.feed.run(id)) target.runs.push_back(run);
    if (target.runs.size() < 2) target.runs.clear();
    return target;
}

QString refusalOf(const Action& action, const ActionTarget& target) {
    const char* why = action.refused && target.run ? action.refused(target) : nullptr;
    return why ? QCoreApplication::translate("Action", why) : QString();
}

void act(const Action& action, const ActionTarget& target) {
    ActionTarget now = target;
    const auto fresh = [&target](RunItemPtr& run) {
        if (const RunItemPtr known = run ? target.bench.feed.run(run->id) : nullptr) run = known;
    };
    fresh(now.run);
    for (RunItemPtr& run : now.runs) fresh(run);
    if (now.runs.size() > 1) now.runs = runsFor(action, now);
    if (now.runs.size() == 1) now.run = now.runs.front();
    if (refusalOf(action, now).isEmpty()) action.act(now);
}

void addActions(QMenu& menu, std::initializer_list<const char*> ids, const ActionTarget& target) {
    for (const char* id : ids) {
        if (*id == '\0') {
            menu.addSeparator();
            continue;
        }
        const Action& each = action(id);
        if (!isOffered(each, target)) continue;
        auto* entry =
            menu.addAction(*each.icon == '\0' ? QIcon() : icon(QLatin1String(each.icon)), menuText(each, target));
        if (const QString keys = keysText(each); !keys.isEmpty())
            entry->setText(entry->text() + QLatin1Char('\t') + keys);
        if (each.danger) entry->setProperty("kind", QByteArray("danger"));
        if (const QString why = refusalOf(each, target); !why.isEmpty()) {
            entry->setEnabled(false);
            entry->setToolTip(why);
            menu.setToolTipsVisible(true);
        }
        // The runs may have changed since the menu was opened.
        QObject::connect(entry, &QAction::triggered, target.parent, [&each, target] { act(each, target); });
    }
}

} // namespace trainyard::ui
