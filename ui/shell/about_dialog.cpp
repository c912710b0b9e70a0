// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/about_dialog.h"

#include "ui/shell/about_libraries.h"
#include "ui/theme/icon.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/sheets/sheet.h"

#include <QCoreApplication>
#include <QIcon>
#include <QMainWindow>

namespace trainyard::ui {

namespace {

struct AboutWords {
    Q_DECLARE_TR_FUNCTIONS(About)
};

} // namespace

void showAbout(QWidget* window) {
    auto* main = qobject_cast<QMainWindow*>(window);
    const Theme& theme = Theme::current();
    auto* sheet = new Sheet(main ? main->centralWidget() : window, QSize(560, 560));
    QObject::connect(sheet, &Sheet::closed, sheet, &QObject::deleteLater);
    auto* content = new QWidget;
    auto* layout = column(content, 12);
    setMargins(layout, 24, 24, 24, 20);
    auto* top = row(nullptr, 16);
    auto* logo = new QLabel;
    logo->setPixmap(QIcon(QStringLiteral(":/trainyard/icons/app/trainyard.svg")).pixmap(theme.px(56), theme.px(56)));
    top->addWidget(logo);
    auto* names = new QVBoxLayout;
    names->setSpacing(0);
    names->addWidget(new Label(QStringLiteral("Trainyard %1").arg(QLatin1String(TRAINYARD_VERSION)), TextRole::Title));
    names->addWidget(new Label(AboutWords::tr("A desktop workbench for distributed training"), TextRole::Secondary));
    top->addLayout(names, 1);
    layout->addLayout(top);
    auto* licence = new Label(AboutWords::tr(
        "Free software under the GNU General Public License, version 3 or later, without warranty. No account, no "
        "telemetry: the only data that leaves this computer is what you send to your own hosts."));
    licence->setWordWrap(true);
    layout->addWidget(licence);
    layout->addWidget(new Label(AboutWords::tr("Built on"), TextRole::SectionHeading));
    auto* list = new PairList;
    QList<PairList::Pair> rows;
    for (const Library& each : libraries()) {
        QString name = QLatin1String(each.name);
        if (name == QLatin1String("Qt")) name += QLatin1Char(' ') + QLatin1String(qVersion());
        rows << PairList::Pair{name, QLatin1String(each.licence), libraryUse(each)};
    }
    list->setPairs(rows);
    auto* holder = new QWidget;
    setMargins(column(holder), 0, 0, 12, 0);
    holder->layout()->addWidget(list);
    auto* scroll = scrolled(holder, AboutWords::tr("Libraries and their licences"));
    layout->addWidget(scroll, 1);
    auto* close = button(AboutWords::tr("Close"));
    QObject::connect(close, &QPushButton::clicked, sheet, &Sheet::close);
    layout->addWidget(close, 0, Qt::AlignRight);
    sheet->body()->addWidget(content);
    sheet->setFirst(close);
    sheet->open();
}

} // namespace trainyard::ui
