// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/key_bindings.h"

#include "ui/models/desktop/settings.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>

namespace trainyard::ui {

namespace {

struct KeyWords {
    Q_DECLARE_TR_FUNCTIONS(KeyBindings)
};

// Keys that work outside the table of actions.
struct Taken {
    const char *keys, *by;
};
constexpr Taken kTaken[] = {
    {"Ctrl+Return", QT_TRANSLATE_NOOP("KeyBindings", "Start, in the New run sheet")},
    {"Ctrl+Shift+Return", QT_TRANSLATE_NOOP("KeyBindings", "Add to queue, in the New run sheet")},
    {"Ctrl+C", QT_TRANSLATE_NOOP("KeyBindings", "Copy")},
    {"Ctrl+X", QT_TRANSLATE_NOOP("KeyBindings", "Cut")},
    {"Ctrl+V", QT_TRANSLATE_NOOP("KeyBindings", "Paste")},
    {"Ctrl+A", QT_TRANSLATE_NOOP("KeyBindings", "Select all")},
    {"Alt+Up", QT_TRANSLATE_NOOP("KeyBindings", "Move the run in the queue")},
    {"Alt+Down", QT_TRANSLATE_NOOP("KeyBindings", "Move the run in the queue")},
    {"F3", QT_TRANSLATE_NOOP("KeyBindings", "Next hit in the log")},
    {"Shift+F3", QT_TRANSLATE_NOOP("KeyBindings", "Previous hit in the log")}};
constexpr int kPages = 9; // Ctrl with a digit opens one

bool isFunctionKey(int key) { return key >= Qt::Key_F1 && key <= Qt::Key_F35; }

// Without Ctrl, Alt or Meta, keys that type or move in a field cannot be an action's; Del is one only in the table of
// runs.
bool isForTyping(const QKeyCombination& pressed, const Action& action) {
    if (pressed.keyboardModifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) return false;
    const int key = pressed.key();
    return !isFunctionKey(key) && !(key == Qt::Key_Delete && action.scope == ActionScope::RunsTable);
}

} // namespace

KeyBindings& KeyBindings::instance() {
    static KeyBindings only;
    return only;
}

QKeySequence KeyBindings::keys(const Action& action) const {
    return QKeySequence(Settings::keys.of(QLatin1String(action.id), QLatin1String(action.keys)).get());
}

bool KeyBindings::isChanged(const Action& action) const {
    return keys(action) != QKeySequence(QLatin1String(action.keys));
}

Result<void> KeyBindings::set(const Action& action, const QKeySequence& keys) {
    const QString text = keys.toString(QKeySequence::PortableText);
    const auto refused = [&text](const QString& why) { return inputError(why.arg(text).toStdString()); };
    if (!keys.isEmpty()) {
        if (keys.count() > 1) return refused(KeyWords::tr("%1: use a single combination"));
        if (isForTyping(keys[0], action)) return refused(KeyWords::tr("%1 types a character; add Ctrl or Alt"));
        const auto& all = actions();
        const auto other = std::find_if(
            all.begin(), all.end(), [&](const Action& each) { return &each != &action && this->keys(each) == keys; });
        if (other != all.end())
            return refused(KeyWords::tr("“%2” already uses %1").arg(QStringLiteral("%1"), actionName(*other)));
        for (const Taken& each : kTaken)
            if (QKeySequence(QLatin1String(each.keys)) == keys)
                return refused(KeyWords::tr("“%2” already uses %1").arg(QStringLiteral("%1"), KeyWords::tr(each.by)));
        if (keys[0].keyboardModifiers() == Qt::ControlModifier && keys[0].key() >= Qt::Key_1 &&
            keys[0].key() < Qt::Key_1 + kPages)
            return refused(KeyWords::tr("%1 opens a page"));
    }
    const auto setting = Settings::keys.of(QLatin1String(action.id), QLatin1String(action.keys));
    if (keys == QKeySequence(QLatin1String(action.keys))) setting.forget();
    else setting.set(text);
    Q_EMIT changed();
    return {};
}

void KeyBindings::reset(const Action& action) {
    Settings::keys.of(QLatin1String(action.id), QLatin1String(action.keys)).forget();
    Q_EMIT changed();
}

} // namespace trainyard::ui
