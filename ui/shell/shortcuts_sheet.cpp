// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/shortcuts_sheet.h"

#include "ui/actions/action.h"
#include "ui/pages/page_table.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/sheet.h"
#include "ui/widgets/status_chip.h"

#include <QGridLayout>
#include <QMainWindow>

namespace trainyard::ui {

namespace {

QString shortcutText(const char* text) { return QCoreApplication::translate("ShortcutsSheet", text); }

struct Entry {
    QString keys, text;
};
struct ShortcutGroup {
    QString title;
    QList<Entry> entries;
};

// What a hand does that is no action of the table.
struct Gesture {
    ActionGroup group;
    const char *keys, *text;
};
constexpr Gesture kGestures[] = {
    {ActionGroup::Runs, "Space", QT_TRANSLATE_NOOP("ShortcutsSheet", "Draw or hide the run")},
    {ActionGroup::Runs, "Alt Up, Alt Down", QT_TRANSLATE_NOOP("ShortcutsSheet", "Move the run in the queue")},
    {ActionGroup::Curves, "Space", QT_TRANSLATE_NOOP("ShortcutsSheet", "Pause or resume the live view")},
    {ActionGroup::Curves, "Wheel, +, -", QT_TRANSLATE_NOOP("ShortcutsSheet", "Zoom x")},
    {ActionGroup::Curves, "Shift Wheel, Up, Down", QT_TRANSLATE_NOOP("ShortcutsSheet", "Zoom y")},
    {ActionGroup::Curves, "Left, Right", QT_TRANSLATE_NOOP("ShortcutsSheet", "Move in x")},
    {ActionGroup::Curves, "Drag", QT_TRANSLATE_NOOP("ShortcutsSheet", "Zoom to the frame")},
    {ActionGroup::Curves, "Double click, F", QT_TRANSLATE_NOOP("ShortcutsSheet", "Fit")},
    {ActionGroup::Curves, "End", QT_TRANSLATE_NOOP("ShortcutsSheet", "Jump to live")},
    {ActionGroup::Curves, "Alt Left, Right, Up, Down", QT_TRANSLATE_NOOP("ShortcutsSheet", "Move the chart")},
    {ActionGroup::Curves, "Ctrl Up, Down, then Enter", QT_TRANSLATE_NOOP("ShortcutsSheet", "Set the learning rate")},
    {ActionGroup::Curves, "Menu", QT_TRANSLATE_NOOP("ShortcutsSheet", "Menu of the chart")},
    {ActionGroup::Logs, "F3, Shift F3", QT_TRANSLATE_NOOP("ShortcutsSheet", "Next, previous hit")},
    {ActionGroup::Logs, "Ctrl C", QT_TRANSLATE_NOOP("ShortcutsSheet", "Copy lines")}};

QList<ShortcutGroup> groups() {
    constexpr std::pair<ActionGroup, const char*> kTitles[] = {
        {ActionGroup::Window, QT_TRANSLATE_NOOP("ShortcutsSheet", "Window")},
        {ActionGroup::Runs, QT_TRANSLATE_NOOP("ShortcutsSheet", "Runs")},
        {ActionGroup::Curves, QT_TRANSLATE_NOOP("ShortcutsSheet", "Curves")},
        {ActionGroup::Logs, QT_TRANSLATE_NOOP("ShortcutsSheet", "Logs")}};
    QList<ShortcutGroup> all;
    for (const auto& [group, title] : kTitles) {
        ShortcutGroup made{shortcutText(title), {}};
        for (const Action& each : actions())
            if (each.group == group && !actionKeys(each).isEmpty())
                made.entries << Entry{actionKeys(each), actionName(each)};
        if (group == ActionGroup::Window)
            made.entries << Entry{shortcutText("Ctrl %1").arg(pageDigits()), shortcutText("Pages")};
        for (const Gesture& each : kGestures)
            if (each.group == group) made.entries << Entry{QString::fromLatin1(each.keys), shortcutText(each.text)};
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
    const Theme& theme = Theme::current();
    auto* sheet = new Sheet(main ? main->centralWidget() : window, QSize(720, 616));
    QObject::connect(sheet, &Sheet::closed, sheet, &QObject::deleteLater);
    auto* content = new QWidget;
    auto* layout = column(content, 16);
    setMargins(layout, 24, 20, 24, 20);
    auto* top = row();
    top->addWidget(new Label(shortcutText("Keyboard shortcuts"), TextRole::Title));
    top->addStretch();
    auto* close = iconButton(QStringLiteral("close"), shortcutText("Close"), QStringLiteral("Esc"));
    QObject::connect(close, &QToolButton::clicked, sheet, &Sheet::close);
    top->addWidget(close);
    layout->addLayout(top);
    auto* columns = row(nullptr, 32);
    auto* left = new QVBoxLayout;
    auto* right = new QVBoxLayout;
    left->setSpacing(theme.px(20));
    right->setSpacing(theme.px(20));
    const auto all = groups();
    left->addWidget(groupWidget(all.first()));
    left->addStretch();
    for (const ShortcutGroup& group : all.mid(1)) right->addWidget(groupWidget(group));
    right->addStretch();
    columns->addLayout(left, 1);
    columns->addLayout(right, 1);
    layout->addLayout(columns, 1);
    sheet->body()->addWidget(content);
    sheet->open();
}

} // namespace trainyard::ui
