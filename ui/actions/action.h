// SPDX-License-Identifier: GPL-3.0-or-later
// The user's actions in the window. Menus, buttons, keys, the command palette and the sheet of shortcuts come from one
// table, so that each action has one name and does one thing everywhere.
#pragma once

#include "ui/models/workbench.h"

#include <initializer_list>
#include <optional>
#include <vector>

class QMenu;

namespace trainyard::ui {

// The target of an action.
struct ActionTarget {
    Workbench& bench;
    RunItemPtr run;                                   // null for actions of the window
    QWidget* parent = nullptr;                        // parent of the dialogs that it opens
    std::optional<store::CheckpointRow> checkpoint{}; // of the run; nothing: its best
    std::vector<RunItemPtr> runs{};                   // several at once, `run` among them; empty: `run` alone
};

// The scope of an action's keys, and whether it needs a run.
enum class ActionScope {
    Window,   // anywhere; no run
    Run,      // anywhere; the current run
    RunsTable // in the table of runs only; its current run
};
// Headings of the sheet of shortcuts.
enum class ActionGroup { Window, Runs, Curves, Logs };

// One action of the window: its text, icon, keys and condition. Menus, buttons, palette and shortcut sheet show it.
struct Action {
    const char* id;   // fixed: settings store it
    const char* text; // translated; "…" at the end: it asks before it acts
    const char* icon; // empty: none
    const char* keys; // as QKeySequence writes them, "Ctrl+N"; empty: none. KeyBindings has the current ones
    ActionScope scope;
    ActionGroup group;
    void (*act)(const ActionTarget& target);
    bool (*offered)(const ActionTarget& target) = nullptr; // null: always
    const char* tip = nullptr;                             // a sentence, translated
    bool danger = false;                                   // data may be lost
    bool many = false;                                     // also applies to several runs at once
    bool elsewhere = false;                                // also applies to a run that does not live here
    const char* ofProgram = nullptr;    // its text for the run of a program, translated; null: the same
    const char* tipOfProgram = nullptr; // its tip for one
    bool ofSelection = false;           // of palette and keys: all selected runs, not the current one alone
    // Why it cannot be done to a run that it is offered for, translated; null, or null from it: it can. Menus show it,
    // greyed out, with the reason.
    const char* (*refused)(const ActionTarget& target) = nullptr;
};
const std::vector<Action>& actions();
// The action with this id, which must be in the table.
const Action& action(const char* id);

QString actionText(const Action& action);
QString actionName(const Action& action); // without "…"
QString actionKeys(const Action& action); // the current ones, as on the keyboard: "Ctrl Shift N"; empty: none
QString actionTip(const Action& action);  // its tip or name, and its keys
// The same for this run, which may be that of a program; null: any.
QString actionText(const Action& action, const RunItem* run);
QString actionName(const Action& action, const RunItem* run);
QString actionTip(const Action& action, const RunItem* run);
// Why it cannot be done to the target, though it is offered; empty: it can.
QString refusalOf(const Action& action, const ActionTarget& target);
// Whether the action applies to the target now.
bool isOffered(const Action& action, const ActionTarget& target);
// The runs that it acts on: those of the target that it applies to.
std::vector<RunItemPtr> runsFor(const Action& action, const ActionTarget& target);
// What palette and keys act on: the current run, or the selected ones.
ActionTarget targetOf(const Action& action, Workbench& bench, QWidget* parent);
// Performs it on the runs in their current state.
void act(const Action& action, const ActionTarget& target);
// Adds the actions that apply; "" is a separator.
void addActions(QMenu& menu, std::initializer_list<const char*> ids, const ActionTarget& target);

} // namespace trainyard::ui
