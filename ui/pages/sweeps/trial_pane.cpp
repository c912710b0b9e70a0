// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/trial_pane.h"

#include "ui/models/text/format.h"
#include "ui/pages/sweeps/trial_table.h"
#include "ui/widgets/inputs/unit_field.h"

#include <QComboBox>

namespace trainyard::ui {

TrialPane::TrialPane(Workbench& bench, const TrialList& trials, TrialFilter& filter, QWidget* parent)
    : Surface(SurfaceColor::Panel, NoEdge, parent), m_trials(trials), m_filter(filter), m_sweeps(new QComboBox),
      m_text(new UnitEdit), m_error(new Label(QString(), TextRole::SmallError)) {
    const Theme& theme = Theme::current();
    setMinimumWidth(theme.px(260));
    m_error->setWordWrap(true);
    m_error->setContentsMargins(theme.px(12), 0, theme.px(12), theme.px(6));
    m_error->hide();
    auto* layout = column(this);
    layout->addLayout(buildTop());
    layout->addWidget(m_error);
    layout->addWidget(new TrialTable(bench, trials, filter), 1);
    layout->addWidget(buildFooter());
    connect(&filter, &TrialFilter::changed, this, &TrialPane::showCount);
    showCount();
}

QLayout* TrialPane::buildTop() {
    auto* top = column(nullptr, 6);
    setMargins(top, 12, 8, 12, 8);
    m_sweeps->setAccessibleName(tr("Sweep"));
    m_sweeps->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_text->setLeadingIcon(QStringLiteral("filter"));
    m_text->setPlaceholderText(tr("Filter: lr<0.1 and status:stopped"));
    m_text->setClearButtonEnabled(true);
    m_text->setAccessibleName(tr("Filter the trials"));
    m_text->setToolTip(tr("lr<0.1   val/accuracy>0.9   lr in 0.01..0.1   status:failed\nCombine with “and”; a series "
                          "means its best value"));
    top->addWidget(m_sweeps);
    top->addWidget(m_text);
    connect(m_sweeps, &QComboBox::activated, this, [this] { Q_EMIT sweepChosen(chosen()); });
    connect(m_text, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_filter.setText(text);
        m_error->setText(m_filter.error());
        m_error->setVisible(!m_filter.error().isEmpty());
        setKind(m_text, m_filter.error().isEmpty() ? "" : "error");
    });
    return top;
}

QWidget* TrialPane::buildFooter() {
    m_footer = new Surface(SurfaceColor::Panel, TopEdge);
    m_footer->setFixedHeight(Theme::current().px(44));
    auto* line = row(m_footer, 8);
    setMargins(line, 12, 1, 12, 0);
    m_count = new Label(QString(), TextRole::SmallSecondary);
    m_count->setMinimumWidth(0);
    m_count->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_clear = button(tr("Clear"));
    m_clear->setToolTip(tr("Show all trials  Esc"));
    connect(m_clear, &QPushButton::clicked, this, [this] {
        m_text->clear();
        m_filter.clearBrushes();
    });
    line->addWidget(m_count, 1);
    line->addWidget(m_clear);
    return m_footer;
}

void TrialPane::showCount() {
    const QStringList brushed = m_filter.brushed();
    QStringList names;
    for (const QString& path : brushed)
        names << (path.isEmpty() ? seriesText(m_trials.scoreSeries()) : shortPath(path));
    QString text = tr("%1 of %2 trials")
                       .arg(countText(static_cast<double>(m_filter.kept())),
                            countText(static_cast<double>(m_trials.trials().size())));
    if (!names.isEmpty()) text += tr(", by the brush on %1").arg(names.join(QStringLiteral(", ")));
    m_count->setText(text);
    m_count->setToolTip(text);
    m_footer->setVisible(m_filter.isOn());
}

void TrialPane::setSweeps(const QList<std::pair<QString, QString>>& sweeps) {
    QList<std::pair<QString, QString>> listed;
    for (int i = 0; i < m_sweeps->count(); ++i)
        listed << std::pair(m_sweeps->itemText(i), m_sweeps->itemData(i).toString());
    if (sweeps == listed) return; // refilling would move the rows of an open list
    const QString before = chosen();
    m_sweeps->clear();
    for (const auto& [name, id] : sweeps) m_sweeps->addItem(name, id);
    choose(before);
}

bool TrialPane::choose(const QString& sweep) {
    const int at = m_sweeps->findData(sweep);
    if (at >= 0 && at != m_sweeps->currentIndex()) m_sweeps->setCurrentIndex(at);
    return at >= 0;
}

QString TrialPane::chosen() const { return m_sweeps->currentData().toString(); }

void TrialPane::chooseNone() { m_sweeps->setCurrentIndex(-1); }

} // namespace trainyard::ui
