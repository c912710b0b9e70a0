// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/shortcuts_sheet.h"

#include "ui/pages/page_table.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/sheet.h"
#include "ui/widgets/status_chip.h"

#include <QGridLayout>
#include <QMainWindow>

namespace trainyard::ui {

namespace {

QString words(const char* text) { return QCoreApplication::translate("ShortcutsSheet", text); }

constexpr const char* kPageKeys = nullptr; // as many as there are pages

struct Entry {
    const char* keys;
    const char* text;
};
struct Group {
    const char* title;
    std::vector<Entry> entries;
};

const std::vector<Group>& groups() {
    static const std::vector<Group> all{
        {"Window",
         {{"Ctrl K", "Search runs and commands"},
          {"Ctrl N", "New run"},
          {"Ctrl Shift N", "New sweep"},
          {"Ctrl O", "Open a run file"},
          {kPageKeys, "Pages"},
          {"Alt 1 … 3", "Curves, model, logs"},
          {"F9", "Runs table"},
          {"F4", "Inspector"},
          {"F11", "Full screen"},
          {"F10", "Menu"},
          {"Ctrl Q", "Quit; runs go on"}}},
        {"Runs",
         {{"Ctrl F", "Filter"},
          {"Space", "Draw or hide the run"},
          {"F2", "Rename"},
          {"Del", "Archive"},
          {"Ctrl Z", "Bring back what was archived"},
          {"Ctrl .", "Stop and save the current run"}}},
        {"Curves",
         {{"Space", "Hold or follow the picture"},
          {"Wheel", "Zoom x"},
          {"Shift Wheel", "Zoom y"},
          {"Drag", "Zoom to the frame"},
          {"Double click, F", "Fit"},
          {"End", "Jump to live"},
          {"Ctrl E", "Export"}}},
        {"Logs", {{"Ctrl L", "Search the log"}, {"F3, Shift F3", "Next, previous hit"}, {"Ctrl C", "Copy lines"}}}};
    return all;
}

QWidget* groupWidget(const Group& group) {
    auto* widget = new QWidget;
    auto* grid = new QGridLayout(widget);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(Theme::current().px(12));
    grid->setVerticalSpacing(Theme::current().px(6));
    grid->addWidget(new Label(words(group.title), TextRole::Heading), 0, 0, 1, 2);
    int line = 1;
    for (const Entry& entry : group.entries) {
        grid->addWidget(
            new KeyCap(entry.keys == kPageKeys ? words("Ctrl %1").arg(pageDigits()) : QString::fromUtf8(entry.keys)),
            line, 0, Qt::AlignLeft);
        grid->addWidget(new Label(words(entry.text), TextRole::SmallSecondary), line, 1);
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
    auto* sheet = new Sheet(main ? main->centralWidget() : window, QSize(theme.px(720), theme.px(520)));
    QObject::connect(sheet, &Sheet::closed, sheet, &QObject::deleteLater);
    auto* content = new QWidget;
    auto* layout = column(content, 16);
    setMargins(layout, 24, 20, 24, 20);
    auto* top = row();
    top->addWidget(new Label(words("Keyboard shortcuts"), TextRole::Title));
    top->addStretch();
    auto* close = iconButton(QStringLiteral("close"), words("Close"), QStringLiteral("Esc"));
    QObject::connect(close, &QToolButton::clicked, sheet, &Sheet::close);
    top->addWidget(close);
    layout->addLayout(top);
    auto* columns = row(nullptr, 32);
    auto* left = new QVBoxLayout;
    auto* right = new QVBoxLayout;
    left->setSpacing(theme.px(20));
    right->setSpacing(theme.px(20));
    left->addWidget(groupWidget(groups()[0]));
    left->addStretch();
    for (std::size_t i = 1; i < groups().size(); ++i) right->addWidget(groupWidget(groups()[i]));
    right->addStretch();
    columns->addLayout(left, 1);
    columns->addLayout(right, 1);
    layout->addLayout(columns, 1);
    sheet->body()->addWidget(content);
    sheet->open();
}

} // namespace trainyard::ui
