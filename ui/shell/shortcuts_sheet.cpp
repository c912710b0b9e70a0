// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/shortcuts_sheet.h"

#include "ui/actions/action.h"
#include "ui/pages/page_table.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/marks/status_chip.h"
#include "ui/widgets/sheets/sheet.h"

#include <QGridLayout>
#include <QMainWindow>

#include <array>

namespace trainyard::ui {

namespace {

struct ShortcutWords {
    Q_DECLARE_TR_FUNCTIONS(ShortcutsSheet)
};

struct Entry {
    QString keys, text;
};
struct ShortcutGroup {
    QString title;
    QList<Entry> entries;
};

// Mouse and key gestures that are not actions of the table.
struct Gesture {
    ActionGroup group;
    const char *keys, *text;
};
constexpr Gesture kGestures[] = {{ActionGroup::Runs, QT_TRANSLATE_NOOP("ShortcutsSheet", "Space"),
                                  QT_TRANSLATE_NOOP("ShortcutsSheet", "Draw or hide the run")},
                                 {ActionGroup::Runs, QT_TRANSLATE_NOOP("ShortcutsSheet", "Alt Up, Alt Down"),
                                  QT_TRANSLATE_NOOP("ShortcutsSheet", "Move the run in the queue")},
                                 {ActionGroup::Curves, QT_TRANSLATE_NOOP("ShortcutsSheet", "Space"),
                                  QT_TRANSLATE_NOOP("ShortcutsSheet", "Pause or resume the live view")},
                                 {ActionGroup::Curves, QT_TRANSLATE_NOOP("ShortcutsSheet", "Wheel, +, -"),
                                  QT_TRANSLATE_NOOP("ShortcutsSheet", "Zoom x")},
                                 {ActionGroup::Curves, QT_TRANSLATE_NOOP("ShortcutsSheet", "Shift Wheel, Up, Down"),
                                  QT_TRANSLATE_NOOP("ShortcutsSheet", "Zoom y")},
                                 {ActionGroup::Curves, QT_TRANSLATE_NOOP("ShortcutsSheet", "Left, Right"),
                                  QT_TRANSLATE_NOOP("ShortcutsSheet", "Pan x")},
                                 {ActionGroup::Curves, QT_TRANSLATE_NOOP("ShortcutsSheet", "Drag"),
                                  QT_TRANSLATE_NOOP("ShortcutsSheet", "Zoom to the selection")},
                                 {ActionGroup::Curves, QT_TRANSLATE_NOOP("ShortcutsSheet", "Double click, F"),
                                  QT_TRANSLATE_NOOP("ShortcutsSheet", "Fit")},
                                 {ActionGroup::Curves, QT_TRANSLATE_NOOP("ShortcutsSheet", "End"),
                                  QT_TRANSLATE_NOOP("ShortcutsSheet", "Jump to live")},
                                 {ActionGroup::Curves, QT_TRANSLATE_NOOP("ShortcutsSheet", "Alt Left, Right, Up, Down"),
                                  QT_TRANSLATE_NOOP("ShortcutsSheet", "Move the chart")},
                                 {ActionGroup::Curves, QT_TRANSLATE_NOOP("ShortcutsSheet", "Ctrl Up, Down, then Enter"),
                                  QT_TRANSLATE_NOOP("ShortcutsSheet", "Set the learning rate")},
                                 {ActionGroup::Curves, QT_TRANSLATE_NOOP("ShortcutsSheet", "Menu"),
                                  QT_TRANSLATE_NOOP("ShortcutsSheet", "Menu of the chart")},
                                 {ActionGroup::Logs, QT_TRANSLATE_NOOP("ShortcutsSheet", "F3, Shift F3"),
                                  QT_TRANSLATE_NOOP("ShortcutsSheet", "Next, previous hit")},
                                 {ActionGroup::Logs, QT_TRANSLATE_NOOP("ShortcutsSheet", "Ctrl C"),
                                  QT_TRANSLATE_NOOP("ShortcutsSheet", "Copy lines")}};

QList<ShortcutGroup> groups() {
    constexpr std::pair<ActionGroup, const char*> kTitles[] = {
        {ActionGroup::Window, QT_TRANSLATE_NOOP("ShortcutsSheet", "Window")},
        {ActionGroup::Runs, QT_TRANSLATE_NOOP("ShortcutsSheet", "Runs")},
        {ActionGroup::Curves, QT_TRANSLATE_NOOP("ShortcutsSheet", "Curves")},
        {ActionGroup::Logs, QT_TRANSLATE_NOOP("ShortcutsSheet", "Logs")}};
    QList<ShortcutGroup> all;
    for (const auto& [group, title] : kTitles) {
        ShortcutGroup made{ShortcutWords::tr(title), {}};
        for (const Action& each : actions())
            if (each.group == group && !actionKeys(each).isEmpty())
                made.entries << Entry{actionKeys(each), actionName(each)};
        if (group == ActionGroup::Window)
            made.entries << Entry{ShortcutWords::tr("Ctrl %1").arg(pageDigits()), ShortcutWords::tr("Pages")};
        for (const Gesture& each : kGestures)
            if (each.group == group) made.entries << Entry{ShortcutWords::tr(each.keys), ShortcutWords::tr(each.text)};
        all << made;
    }
    return all;
}

QWidget* groupWidget(const ShortcutGroup& group) {
    auto* widget = new QWidget;
    auto* grid = new QGridLayout(widget);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(Theme::current().px(12));
    grid->setVerticalSpacing(Theme::current().px(6));
    grid->addWidget(new Label(group.title, TextRole::Heading), 0, 0, 1, 2);
    int line = 1;
    for (const Entry& entry : group.entries) {
        grid->addWidget(new KeyCap(entry.keys), line, 0, Qt::AlignLeft);
        grid->addWidget(new Label(entry.text, TextRole::SmallSecondary), line, 1);
        ++line;
    }
    grid->setColumnStretch(1, 1);
    grid->setRowStretch(line, 1);
    return widget;
}

} // namespace

void ShortcutsSheet::show(QWidget* window) {
    auto* main = qobject_cast<QMainWindow*>(window);
    auto* sheet = new Sheet(main ? main->centralWidget() : window, QSize(1200, 640));
    QObject::connect(sheet, &Sheet::closed, sheet, &QObject::deleteLater);
    auto* content = new QWidget;
    auto* layout = column(content, 16);
    setMargins(layout, 24, 20, 24, 20);
    auto* top = row();
    top->addWidget(new Label(ShortcutWords::tr("Keyboard shortcuts"), TextRole::Title));
    top->addStretch();
    auto* close = iconButton(QStringLiteral("close"), ShortcutWords::tr("Close"), QStringLiteral("Esc"));
    QObject::connect(close, &QToolButton::clicked, sheet, &Sheet::close);
    top->addWidget(close);
    layout->addLayout(top);
    // The keys of the window, with the shorter sections beside them.
    auto* inner = new QWidget;
    auto* columns = row(inner, 32);
    const auto all = groups();
    constexpr std::size_t kColumnOf[] = {0, 1, 2, 1};
    std::array<QVBoxLayout*, 3> stacks{};
    for (auto& stack : stacks) {
        stack = column(nullptr, 20);
        columns->addLayout(stack);
    }
    columns->addStretch(); // each is as wide as its words
    for (int i = 0; i < static_cast<int>(all.size()); ++i) stacks[kColumnOf[i]]->addWidget(groupWidget(all[i]));
    for (auto* stack : stacks) stack->addStretch();
    layout->addWidget(scrolled(inner, ShortcutWords::tr("Keyboard shortcuts")), 1);
    sheet->body()->addWidget(content);
    sheet->open();
}

} // namespace trainyard::ui
