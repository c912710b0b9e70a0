// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/actions/action.h"

#include <QKeySequence>
#include <QObject>

namespace trainyard::ui {

// The keys of actions: those of the table, or the user's own, stored by the action's id.
class KeyBindings : public QObject {
    Q_OBJECT
public:
    static KeyBindings& instance();

    QKeySequence keys(const Action& action) const; // empty: none
    bool isChanged(const Action& action) const;
    // Empty: the action has no keys. Input error, worded for the user: the keys belong to another action, or cannot be
    // an action's.
    Result<void> set(const Action& action, const QKeySequence& keys);
    void reset(const Action& action);

Q_SIGNALS:
    void changed();

private:
    KeyBindings() = default;
};

} // namespace trainyard::ui
