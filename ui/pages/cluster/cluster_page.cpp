// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/cluster/cluster_page.h"

#include "ui/pages/cluster/local_host_card.h"
#include "ui/pages/page_table.h"
#ifdef TRAINYARD_REMOTE
#include "ui/pages/cluster/remote_hosts.h"
#endif

namespace trainyard::ui {

ClusterPage::ClusterPage(Workbench& bench, QWidget* parent)
    : Surface(SurfaceColor::Window, NoEdge, parent), m_bench(bench) {
    const Theme& theme = Theme::current();
    auto* across = row(this);
    auto* main = new QWidget;
    auto* layout = column(main);
    auto* header = new Surface(SurfaceColor::Window, BottomEdge);
    header->setFixedHeight(theme.px(48));
    auto* line = row(header, 12);
    setMargins(line, 16, 0, 16, 1);
    line->addWidget(new Label(tr("Cluster"), TextRole::Title));
    auto* note = new Label(QString(), TextRole::SmallSecondary);
    line->addWidget(note, 1);
    auto* cards = new QWidget;
    auto* inner = column(cards, 12);
    setMargins(inner, 16, 16, 16, 16);
    inner->addWidget(new LocalHostCard(bench));
    layout->addWidget(header);
    layout->addWidget(scrolled(cards, tr("Cluster")), 1);
    across->addWidget(main, 1);
#ifdef TRAINYARD_REMOTE
    m_remote = new RemoteHosts(bench, inner, this);
    connect(m_remote, &RemoteHosts::countsChanged, note, &QLabel::setText);
    auto* testAll = button(tr("Test all"), QStringLiteral("refresh"));
    auto* add = button(tr("Add host"), QStringLiteral("plus"));
    connect(testAll, &QPushButton::clicked, m_remote, &RemoteHosts::testAll);
    connect(add, &QPushButton::clicked, this, &ClusterPage::openAddHost);
    line->addWidget(testAll);
    line->addWidget(add);
    across->addWidget(m_remote->panel());
    m_remote->load();
    testAll->setVisible(true);
#else
    note->setText(tr("this computer only: this build has no support for remote hosts"));
#endif
    auto* foot = new Label(tr("Trainyard starts workers on other hosts over SSH. A bar has the colour of the run on "
                              "the device; grey is everything else."),
                           TextRole::SmallSecondary);
    foot->setWordWrap(true);
    inner->addWidget(foot);
    inner->addStretch();
}

void ClusterPage::openAddHost() {
#ifdef TRAINYARD_REMOTE
    m_remote->openPanel();
#endif
}

Page clusterPage() { return {"cluster", QT_TRANSLATE_NOOP("Page", "Cluster"), "cluster", makePage<ClusterPage>}; }

} // namespace trainyard::ui
