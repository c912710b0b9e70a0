// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/inspector/sources_section.h"

#include "engine/run/program/rank_environment.h"
#include "ui/models/desktop/background.h"
#include "ui/models/text/format.h"
#include "ui/widgets/inputs/switch.h"
#include "ui/widgets/marks/status_chip.h"

#include <QLocale>

namespace trainyard::ui {

namespace {

constexpr int kReadMs = 1000; // while it runs

QString nameOf(program::SourceKind kind) {
    switch (kind) {
    case program::SourceKind::MetricsFile: return SourcesSection::tr("Metrics file");
    case program::SourceKind::EventFiles: return SourcesSection::tr("TensorBoard files");
    case program::SourceKind::Wandb: return SourcesSection::tr("W&B files");
    case program::SourceKind::Mlflow: return SourcesSection::tr("MLflow files");
    case program::SourceKind::JsonLog: return SourcesSection::tr("JSON log");
    case program::SourceKind::Table: return SourcesSection::tr("CSV table");
    case program::SourceKind::Printed: return SourcesSection::tr("Printed lines");
    }
    return {};
}

} // namespace

SourcesSection::SourcesSection(Workbench& bench) : RunSection(bench, tr("Sources")), m_rows(new QWidget) {
    column(m_rows, 2);
    body()->addWidget(m_rows);
    hide();
    m_timer.setInterval(kReadMs);
    connect(&m_timer, &QTimer::timeout, this, &SourcesSection::read);
    connect(&bench, &Workbench::shownSourcesChanged, this, [this] {
        m_shown.clear();
        read();
    });
}

void SourcesSection::showRun(const RunItem& run) {
    const bool isKnown = run.isProgram && !run.row.folder.empty();
    if (!isKnown) hide();
    if (isKnown && run.active()) m_timer.start();
    else m_timer.stop();
    if (isKnown) read();
}

void SourcesSection::read() {
    if (!m_run) return;
    inBackground(
        this, [file = run::RankFiles{m_run->row.folder}.sources()] { return run::readSourceRecord(file); },
        [this, id = m_run->id](const run::SourceRecord& record) {
            if (isOf(id)) take(id, record.sources);
        });
}

void SourcesSection::take(const QString& run, const std::vector<program::SourceSummary>& sources) {
    QStringList facts{run};
    for (const auto& each : sources)
        facts << QStringLiteral("%1 %2 %3").arg(static_cast<int>(each.kind)).arg(each.points).arg(each.feeds);
    setVisible(!sources.empty());
    if (facts.join(u'\n') == m_shown) return; // rebuilding would take the focus from a switch
    m_shown = facts.join(u'\n');
    while (auto* item = m_rows->layout()->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const auto& each : sources) {
        const QString name = nameOf(each.kind), word = QString::fromUtf8(program::wordOf(each.kind));
        auto* holder = new QWidget;
        auto* line = row(holder, 6);
        auto* title = new Label(name, TextRole::Secondary);
        title->setMinimumHeight(Theme::current().px(22));
        line->addWidget(title);
        auto* count = new NumberLabel(TextRole::SmallTertiary);
        count->setAlignment(Qt::AlignLeft);
        count->setText(tr("%n points", nullptr, static_cast<int>(each.points)));
        line->addWidget(count, 1);
        if (each.feeds) {
            auto* chip = new StatusChip(tr("curves"), Status::Neutral);
            chip->setToolTip(tr("Feeds the curves: the best source that has spoken"));
            line->addWidget(chip);
        } else if (each.points > 0) {
            auto* shown = new Switch;
            shown->setChecked(m_bench.shownSources().contains(word));
            shown->setAccessibleName(tr("Show the curves of %1, too").arg(name));
            shown->setToolTip(shown->accessibleName());
            connect(shown, &QAbstractButton::toggled, this, [this, word](bool on) { m_bench.showSource(word, on); });
            line->addWidget(shown);
        }
        m_rows->layout()->addWidget(holder);
    }
}

} // namespace trainyard::ui
