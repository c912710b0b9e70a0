// SPDX-License-Identifier: GPL-3.0-or-later
// What a person can do in the window. Menus, buttons, keys, the command palette and the sheet of shortcuts are made
// from one table, so that each thing has one name and does one thing wherever it stands.
#pragma once

#include "ui/models/workbench.h"

#include <initializer_list>
#include <optional>
#include <vector>

class QMenu;

namespace trainyard::ui {

// What an action is done to.
struct ActionTarget {
    Workbench& bench;
    RunItemPtr run;                                   // null for actions of the window
    QWidget* parent = nullptr;                        // of the dialogs that it opens
    std::optional<store::CheckpointRow> checkpoint{}; // of the run; nothing: its best
    std::vector<RunItemPtr> runs{};                   // several at once, `run` among them; empty: `run` alone
};

// Where the keys of an action work, and whether it needs a run.
enum class ActionScope {
    Window,   // anywhere; no run
    Run,      // anywhere; the current run
    RunsTable // in the table of runs only; its current run
};
// Headings of the sheet of shortcuts.
enum class ActionGroup { Window, Runs, Curves, Logs };

// One action of the window: its words, icon, keys and when it applies. Menus, buttons, palette and shortcut sheet show
// it.
struct Action {
    const char* id;   // stays
    const char* text; // to be translated; "…" at the end: it asks before it does something
    const char* icon; // empty: none
    const char* keys; // as QKeySequence writes them, "Ctrl+N"; empty: none. KeyBindings says which hold now
    ActionScope scope;
    ActionGroup group;
    void (*act)(const ActionTarget& target);
    bool (*offered)(const ActionTarget& target) = nullptr; // null: always
    const char* tip = nullptr;                             // a sentence, to be translated
    bool danger = false;                                   // something may be lost
    bool many = false;                                     // also done to several runs at once
    bool elsewhere = false;                                // also to a run that does not live here
};
const std::vector<Action>& actions();
// The one of that id, which has to be in the table.
const Action& action(const char* id);

QString actionText(const Action& action);
QString actionName(const Action& action); // without "…"
QString actionKeys(const Action& action); // that hold now, as on the keys: "Ctrl Shift N"; empty: none
QString actionTip(const Action& action);  // its tip or name, and its keys
// Whether it can be done to the target now.
bool isOffered(const Action& action, const ActionTarget& target);
// The runs that it is done to: those of the target to which it is offered.
std::vector<RunItemPtr> runsFor(const Action& action, const ActionTarget& target);
// Does it, to the runs as they are now.
void act(const Action& action, const ActionTarget& target);
// Adds those of the actions that are offered; "" is a line between groups.
void addActions(QMenu& menu, std::initializer_list<const char*> ids, const ActionTarget& target);

} // namespace trainyard::ui
