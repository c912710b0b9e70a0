// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/error_sheet.h"

#include "ui/widgets/banner.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/sheets/sheet.h"

#include <QApplication>
#include <QClipboard>
#include <QMainWindow>

namespace trainyard::ui {

namespace {

struct ErrorWords {
    Q_DECLARE_TR_FUNCTIONS(ErrorSheet)
};

} // namespace

void showErrorSheet(QWidget* window, const QString& what, const Error& error) {
    auto* main = qobject_cast<QMainWindow*>(window);
    const Theme& theme = Theme::current();
    auto* sheet = new Sheet(main ? main->centralWidget() : window, QSize(560, 480));
    sheet->setFitsContent();
    QObject::connect(sheet, &Sheet::closed, sheet, &QObject::deleteLater);
    auto* layout = sheet->body();
    auto* content = new QWidget;
    auto* inner = column(content, 12);
    setMargins(inner, 20, 20, 20, 16);
    inner->addWidget(new Banner(Status::Error, what, QString::fromStdString(error.where)));
    auto* message = new Label(QString::fromStdString(error.message));
    message->setWordWrap(true);
    message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    inner->addWidget(message);
    if (!error.remedy.empty()) {
        auto* remedy = new Label(QString::fromStdString(error.remedy), TextRole::Secondary);
        remedy->setWordWrap(true);
        inner->addWidget(remedy);
    }
    inner->addSpacing(theme.px(4));
    auto* buttons = row(nullptr, 8);
    auto* copy = button(ErrorWords::tr("Copy"), QStringLiteral("copy"), "flat");
    QObject::connect(copy, &QPushButton::clicked, sheet,
                     [text = QString::fromStdString(error.text())] { QApplication::clipboard()->setText(text); });
    auto* close = button(ErrorWords::tr("Close"), {}, "primary");
    QObject::connect(close, &QPushButton::clicked, sheet, &Sheet::close);
    buttons->addWidget(copy);
    buttons->addStretch();
    buttons->addWidget(close);
    inner->addLayout(buttons);
    layout->addWidget(content);
    sheet->setFirst(close);
    sheet->open();
}

} // namespace trainyard::ui
