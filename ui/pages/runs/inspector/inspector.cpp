// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/inspector/inspector.h"

#include "ui/pages/runs/inspector/run_header.h"
#include "ui/pages/runs/inspector/run_sections.h"
#include "ui/widgets/empty_state.h"

#include <QStackedLayout>

namespace trainyard::ui {

Inspector::Inspector(Workbench& bench, QWidget* parent)
    : Surface(SurfaceColor::Panel, NoEdge, parent), m_bench(bench), m_sections(inspectorSections(bench)) {
    build();
    connect(&bench.selection, &RunSelection::currentChanged, this, &Inspector::showRun);
    connect(&bench.selection, &RunSelection::selectedChanged, this, &Inspector::showRun);
    connect(&bench.feed, &WorkspaceFeed::runsChanged, this, &Inspector::showRun);
    showRun();
}

void Inspector::build() {
    m_stack = new QStackedLayout(this);
    auto* empty = new QWidget;
    auto* emptyLayout = column(empty);
    setMargins(emptyLayout, 16, 16, 16, 16);
    m_empty = new EmptyState(tr("No run selected"), tr("Select a run to see its progress, checkpoints and workers."));
    emptyLayout->addWidget(m_empty);
    emptyLayout->addStretch();

    auto* content = new QWidget;
    auto* layout = column(content);
    m_header = new RunHeader(m_bench);
    layout->addWidget(m_header);
    for (RunSection* section : std::as_const(m_sections)) layout->addWidget(section);
    layout->addStretch();
    m_stack->addWidget(empty);
    m_stack->addWidget(scrolled(content, tr("Inspector")));
}

void Inspector::showRun() {
    const RunItemPtr run = m_bench.feed.run(m_bench.selection.current());
    m_empty->setVisible(!m_bench.feed.runs().empty()); // without any runs, the page itself says so
    m_stack->setCurrentIndex(run ? 1 : 0);
    m_header->setRun(run);
    for (RunSection* section : std::as_const(m_sections)) section->setRun(run);
}

} // namespace trainyard::ui
