// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/sweep_fields.h"

#include "ui/forms/param_field.h"

#include <algorithm>

namespace trainyard::ui {

namespace {

bool isLr(const spec::Axis& axis) { return axis.path == kLrPath; }

// Values in a line that wraps between them.
Label* valuesLabel(const spec::Axis& axis, bool random) {
    auto* label = new Label(valuesText(axis, random));
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setMinimumHeight(Theme::current().px(28));
    return label;
}

} // namespace

bool overlap(const std::string& a, const std::string& b) {
    return a == b || a.starts_with(b + '.') || b.starts_with(a + '.');
}

QString valuesText(const spec::Axis& axis, bool random) {
    if (!axis.values.empty()) {
        QStringList parts;
        for (const auto& value : axis.values) parts << QString::fromStdString(spec::toText(value));
        return parts.join(QStringLiteral(", "));
    }
    QStringList parts{SweepFields::tr("%1 to %2").arg(numberText(axis.from), numberText(axis.to))};
    if (axis.logScale) parts << SweepFields::tr("log");
    if (axis.whole) parts << SweepFields::tr("whole");
    if (!random) parts << SweepFields::tr("%n values", nullptr, axis.count);
    return parts.join(QStringLiteral(", "));
}

SweepFields::SweepFields(TitleOf titleOf, QWidget* parent)
    : QWidget(parent), m_titleOf(std::move(titleOf)), m_grid(new FormGrid),
      m_note(new Label(QString(), TextRole::SmallSecondary)), m_error(new Label(QString(), TextRole::SmallError)) {
    auto* layout = column(this, 4);
    setMargins(layout, 0, 0, 0, 8);
    auto* heading = new Label(tr("Sweep"), TextRole::Heading);
    heading->setToolTip(tr("These fields replace those below, with other values in each trial"));
    layout->addWidget(heading);
    for (auto* label : {m_note, m_error}) label->setWordWrap(true);
    layout->addWidget(m_note);
    layout->addWidget(m_grid);
    layout->addWidget(m_error);
    hide();
}

void SweepFields::setSweep(const spec::SweepSpec& sweep, const spec::CheckpointPolicy& checkpoint) {
    m_sweep = sweep;
    m_ownScore = sweep.scoreBy != checkpoint.scoreBy || sweep.mode != checkpoint.mode;
    fill();
}

void SweepFields::clear() {
    m_sweep = {};
    m_ownScore = false;
    fill();
}

bool SweepFields::any() const {
    return std::any_of(m_sweep.space.begin(), m_sweep.space.end(), [](const auto& axis) { return !isLr(axis); });
}

bool SweepFields::varies(const std::string& path) const {
    return std::any_of(m_sweep.space.begin(), m_sweep.space.end(),
                       [&](const auto& axis) { return !isLr(axis) && axis.path == path; });
}

bool SweepFields::touches(const std::string& path) const {
    return std::any_of(m_sweep.space.begin(), m_sweep.space.end(),
                       [&](const auto& axis) { return !isLr(axis) && overlap(axis.path, path); });
}

void SweepFields::fill() {
    m_grid->clear();
    for (const auto& axis : m_sweep.space) {
        if (isLr(axis)) continue;
        const QString path = QString::fromStdString(axis.path);
        const QString title = m_titleOf(path);
        auto* drop = iconButton(QStringLiteral("close"), tr("Do not vary %1").arg(title));
        connect(drop, &QToolButton::clicked, this, [this, gone = axis.path] { remove(gone); });
        auto* label = m_grid->addRow(title, valuesLabel(axis, !spec::isGrid(m_sweep)), drop);
        label->setToolTip(path);
        label->setWordWrap(true); // titles of the whole run file, some of them long
    }
    if (!any()) hide(); // shown again when there is something to say
}

void SweepFields::remove(const std::string& path) {
    std::erase_if(m_sweep.space, [&](const auto& axis) { return axis.path == path; });
    fill();
    Q_EMIT changed();
}

spec::SweepSpec SweepFields::sweepOf(const spec::RunSpec& run, const LrAxis& lr) const {
    spec::SweepSpec sweep = m_sweep;
    sweep.name = run.name;
    sweep.runJson = spec::toJson(run);
    const auto at = std::find_if(sweep.space.begin(), sweep.space.end(), isLr);
    if (at != sweep.space.end() && lr.axis) *at = *lr.axis;
    else if (at != sweep.space.end()) sweep.space.erase(at);
    else if (lr.axis) sweep.space.push_back(*lr.axis);
    const bool draws = lr.search == "random";
    if (lr.search && draws == spec::isGrid(m_sweep)) sweep.searcher = {*lr.search, {}};
    if (lr.search && (draws || !spec::isGrid(m_sweep))) sweep.trials = lr.trials;
    if (!m_ownScore) {
        sweep.scoreBy = run.checkpoint.scoreBy;
        sweep.mode = run.checkpoint.mode;
    }
    return sweep;
}

void SweepFields::show(const spec::SweepSpec& sweep, int trials, const QString& error) {
    const bool random = sweep.searcher.name == "random", grid = spec::isGrid(sweep);
    const auto searcher = QString::fromStdString(sweep.searcher.name);
    setVisible(any() || m_ownScore || sweep.parallel > 0 || !(random || grid) || sweep.scheduler.name != "fifo");
    QStringList parts{random             ? tr("%n trials at random, seed %1", nullptr, trials).arg(sweep.seed)
                      : !grid            ? tr("%n trials, searched by %1", nullptr, trials).arg(searcher)
                      : sweep.trials > 0 ? tr("The first %n combinations, one trial each", nullptr, trials)
                                         : tr("%n combinations, one trial each", nullptr, trials)};
    if (sweep.scheduler.name != "fifo")
        parts << tr("stopped early by %1").arg(QString::fromStdString(sweep.scheduler.name));
    if (sweep.parallel > 0) parts << tr("%1 side by side").arg(sweep.parallel);
    const QString score = QString::fromStdString(sweep.scoreBy);
    parts << (sweep.mode == "min" ? tr("best by the smallest %1") : tr("best by the largest %1")).arg(score);
    m_note->setText(parts.join(QStringLiteral(" · ")));
    m_error->setText(error);
    m_error->setVisible(!error.isEmpty());
}

} // namespace trainyard::ui
