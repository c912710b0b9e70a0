// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/workspaces.h"

#include "ui/models/desktop/file_question.h"
#include "ui/models/desktop/settings.h"
#include "ui/theme/icon.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/inputs/path_field.h"
#include "ui/widgets/layout.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <QProcess>
#include <QStandardPaths>

namespace trainyard::ui {

namespace {

constexpr qsizetype kRecent = 8;

struct WorkspaceWords {
    Q_DECLARE_TR_FUNCTIONS(Workspaces)
};

QString homely(const QString& path) {
    const QString home = QDir::homePath();
    return path.startsWith(home + QLatin1Char('/')) ? QLatin1Char('~') + path.mid(home.size()) : path;
}

} // namespace

QStringList recentWorkspaces() {
    QStringList there;
    for (const QString& folder : Settings::recentWorkspaces.get())
        if (QFileInfo(folder).isDir()) there << folder;
    return there;
}

void rememberWorkspace(const QString& folder) {
    QStringList recent = recentWorkspaces();
    recent.removeAll(folder);
    recent.prepend(folder);
    Settings::recentWorkspaces.set(recent.mid(0, kRecent));
}

void openWorkspaceIn(const QString& folder) {
    QProcess::startDetached(QCoreApplication::applicationFilePath(), {QStringLiteral("--workspace"), folder});
}

void askForOtherWorkspace(QWidget* parent) {
    askForFiles(parent, {.kind = FileQuestion::Kind::Folder, .title = WorkspaceWords::tr("Folder of the workspace")},
                [](const ChosenFiles& folder) { openWorkspaceIn(folder.path()); });
}

void addRecentWorkspaces(QMenu& menu, const QString& current) {
    for (const QString& folder : recentWorkspaces()) {
        if (folder == current) continue;
        QString shown = homely(folder);
        shown.replace(QLatin1Char('&'), QLatin1String("&&"));
        QObject::connect(menu.addAction(icon(QStringLiteral("clock")), shown), &QAction::triggered, &menu,
                         [folder] { openWorkspaceIn(folder); });
    }
}

std::optional<QString> askInsteadOf(const QString& folder, const Error& error) {
    QDialog dialog;
    dialog.setWindowTitle(QStringLiteral("Trainyard"));
    dialog.setMinimumWidth(Theme::current().px(520));
    auto* layout = column(&dialog, 12);
    setMargins(layout, 20, 20, 20, 16);
    QString cause = QString::fromStdString(error.message);
    if (!error.where.empty()) cause = QString::fromStdString(error.where) + QStringLiteral(": ") + cause;
    layout->addWidget(new Banner(Status::Error, WorkspaceWords::tr("This workspace cannot be opened"), cause));
    auto* what =
        new Label(error.remedy.empty()
                      ? WorkspaceWords::tr("Any runs in it stay as they are. Choose another folder for the workspace.")
                      : QString::fromStdString(error.remedy),
                  TextRole::Secondary);
    what->setWordWrap(true);
    layout->addWidget(what);
    auto* field = new PathField(PathField::Folder);
    field->setTitle(WorkspaceWords::tr("Folder of the workspace"));
    QStringList others = recentWorkspaces();
    others.removeAll(folder);
    const QString usual =
        QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/trainyard");
    field->setText(!others.isEmpty() ? others.first() : usual != folder ? usual : QString());
    layout->addWidget(field);
    auto* buttons = row(nullptr, 8);
    auto* quit = button(WorkspaceWords::tr("Quit"));
    auto* open = button(WorkspaceWords::tr("Open"), {}, "primary");
    open->setDefault(true);
    buttons->addStretch();
    buttons->addWidget(quit);
    buttons->addWidget(open);
    layout->addLayout(buttons);
    const auto judge = [open, field] { open->setEnabled(!field->path().isEmpty()); };
    judge();
    QObject::connect(field, &UnitField::textEdited, open, judge);
    QObject::connect(quit, &QPushButton::clicked, &dialog, &QDialog::reject);
    QObject::connect(open, &QPushButton::clicked, &dialog, &QDialog::accept);
    field->edit()->setFocus();
    if (dialog.exec() != QDialog::Accepted) return {};
    return field->path();
}

} // namespace trainyard::ui
