// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/serve/service_sheets.h"

#include "ui/models/text/format.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/sheets/ask_sheet.h"
#include "ui/widgets/sheets/confirm_sheet.h"

#include <QSpinBox>

#include <algorithm>

namespace trainyard::ui {

ScaleSheet::ScaleSheet(Workbench& bench, const serve::ServiceView& service, QWidget* parent)
    : Sheet(coveredBy(parent), QSize(440, 360)), m_bench(bench), m_service(QString::fromStdString(service.spec.name)),
      m_least(new QSpinBox), m_most(new QSpinBox) {
    setFitsContent();
    build(m_service);
    m_least->setValue(service.spec.minReplicas);
    m_most->setValue(std::max(1, service.spec.maxReplicas));
    connect(this, &Sheet::closed, this, &QObject::deleteLater);
}

void ScaleSheet::build(const QString& name) {
    panel()->setAccessibleName(tr("Scale %1").arg(name));
    auto* content = new QWidget;
    auto* all = column(content);
    auto* rows = column(nullptr, 12);
    setMargins(rows, 20, 16, 20, 16);
    rows->addWidget(new Label(tr("Scale %1").arg(name), TextRole::Title));
    auto* words = new Label(tr("A replica is added while requests wait too long, and one ends after half a minute "
                               "with little to do. With none at rest, the first request waits for a start."),
                            TextRole::Secondary);
    words->setWordWrap(true);
    rows->addWidget(words);
    m_least->setRange(0, kMostReplicas);
    m_most->setRange(1, kMostReplicas);
    auto* line = row(nullptr, 8);
    const auto field = [line](const QString& title, QSpinBox* box) {
        auto* label = new Label(title, TextRole::Secondary);
        label->setBuddy(box);
        box->setAccessibleName(title);
        box->setMinimumWidth(Theme::current().px(kCountWidth));
        line->addWidget(label);
        line->addWidget(box);
        line->addSpacing(Theme::current().px(8));
    };
    field(tr("At rest"), m_least);
    field(tr("Under load"), m_most);
    line->addStretch();
    rows->addLayout(line);
    all->addLayout(rows);
    all->addStretch();
    auto* footer = new Surface(SurfaceColor::Panel, TopEdge);
    auto* buttons = row(footer, 8);
    setMargins(buttons, 20, 11, 20, 10);
    auto* cancel = button(tr("Cancel"));
    auto* go = button(tr("Scale"), {}, "primary");
    buttons->addStretch();
    buttons->addWidget(cancel);
    buttons->addWidget(go);
    all->addWidget(footer);
    body()->addWidget(content);
    connect(m_least, &QSpinBox::valueChanged, this, [this](int least) { m_most->setMinimum(std::max(1, least)); });
    connect(cancel, &QPushButton::clicked, this, &Sheet::close);
    connect(go, &QPushButton::clicked, this, &ScaleSheet::go);
    setFirst(m_least);
}

void ScaleSheet::go() {
    m_bench.serving.scale(m_service, m_least->value(), m_most->value());
    close();
}

void askToStop(Workbench& bench, const serve::ServiceView& service, QWidget* parent) {
    const QString name = QString::fromStdString(service.spec.name);
    const auto open = service.status.waiting + service.status.inFlight;
    const QString words =
        ScaleSheet::tr("It takes no new requests from now on. The %n it has accepted are finished within %1 s at most; "
                       "then its processes end, and are counted. It can be started again at the same address.",
                       nullptr, static_cast<int>(open))
            .arg(digitsText(service.spec.drainSeconds, 4));
    auto* sheet =
        new ConfirmSheet(parent, ScaleSheet::tr("Stop %1").arg(name), words, ScaleSheet::tr("Stop the service"));
    QObject::connect(sheet, &ConfirmSheet::confirmed, &bench, [&bench, name] { bench.serving.stop(name); });
    sheet->open();
}

void askToKill(Workbench& bench, const serve::ServiceView& service, int replica, QWidget* parent) {
    const QString name = QString::fromStdString(service.spec.name);
    QString words = ScaleSheet::tr("Ends its process as a crash would. What it was computing goes to another replica, "
                                   "so that no accepted request is lost, and a new process takes its place.");
    if (service.status.replicas.size() < 2)
        words += QLatin1Char(' ') + ScaleSheet::tr("It is the only one: requests wait until the new one is ready.");
    auto* sheet = new ConfirmSheet(parent, ScaleSheet::tr("Kill replica %1 of %2").arg(replica).arg(name), words,
                                   ScaleSheet::tr("Kill the replica"));
    QObject::connect(sheet, &ConfirmSheet::confirmed, &bench,
                     [&bench, name, replica] { bench.serving.killReplica(name, replica); });
    sheet->open();
}

} // namespace trainyard::ui
