// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/samples/samples_toolbar.h"

#include "engine/store/run_query.h"
#include "ui/models/checkpoints/checkpoint_list.h"
#include "ui/models/text/format.h"
#include "ui/theme/icon.h"
#include "ui/widgets/inputs/segmented_control.h"
#include "ui/widgets/layout.h"

#include <QComboBox>
#include <QSignalBlocker>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr int kLeastLetters = 4;
constexpr int kNameRole = Qt::UserRole + 1;

QComboBox* checkpointBox(const QString& name) {
    auto* box = new QComboBox;
    box->setAccessibleName(name);
    box->setToolTip(name);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(kLeastLetters);
    box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    box->setMaximumWidth(Theme::current().px(240));
    return box;
}

// "Epoch 3, best  0.9438"
QString labelOf(const store::CheckpointRow& row, const QString& scoreSeries) {
    QString label = checkpointTitle(row);
    if (row.best) label += SamplesToolbar::tr(", best");
    if (row.last) label += SamplesToolbar::tr(", last");
    const auto score = row.metrics.find(scoreSeries.toStdString());
    return score == row.metrics.end() ? label : label + QStringLiteral("  ") + metricText(score->second);
}

// Offers these, and keeps the choice if it is among them, else chooses the first. Leaves an equal list alone, since it
// may be open. True: the choice is unchanged.
bool fill(QComboBox& box, const QList<OtherCheckpoint>& offered) {
    bool same = box.count() == offered.size();
    for (int i = 0; same && i < box.count(); ++i)
        same = box.itemText(i) == offered[i].title && box.itemData(i).toString() == offered[i].file;
    if (same) return true;
    const QSignalBlocker quiet(box);
    const QString chosen = box.currentData().toString();
    box.clear();
    for (const OtherCheckpoint& each : offered) {
        box.addItem(each.title, each.file);
        box.setItemData(box.count() - 1, each.name, kNameRole);
    }
    box.setCurrentIndex(std::max(0, box.findData(chosen)));
    return box.currentData().toString() == chosen;
}

} // namespace

SamplesToolbar::SamplesToolbar(QWidget* parent) : QWidget(parent) {
    auto* bar = row(this, 8);
    setMargins(bar, 12, 8, 12, 0);
    m_checkpoint = checkpointBox(tr("Checkpoint to show"));
    m_second = checkpointBox(tr("Checkpoint to compare with"));
    m_part = new SegmentedControl({tr("Validation"), tr("Test"), tr("Train")});
    m_part->setAccessibleName(tr("Part of the dataset"));
    m_evaluate = button(tr("Evaluate"));
    m_part->setMinimumWidth(m_part->sizeHint().width());
    bar->addWidget(m_checkpoint, 1);
    bar->addWidget(m_second, 1);
    bar->addWidget(m_part);
    bar->addStretch();
    bar->addWidget(m_evaluate);
    connect(m_checkpoint, &QComboBox::activated, this, &SamplesToolbar::choose);
    connect(m_part, &SegmentedControl::currentIndexChanged, this, &SamplesToolbar::choose);
    connect(m_second, &QComboBox::currentIndexChanged, this, &SamplesToolbar::secondChanged);
    connect(m_evaluate, &QPushButton::clicked, this, &SamplesToolbar::evaluateRequested);
    setEvaluating(false, false);
}

void SamplesToolbar::choose() {
    m_chosen = true;
    m_choice = {m_checkpoint->currentData().toString().toStdString(), static_cast<DataPart>(m_part->currentIndex())};
    Q_EMIT choiceChanged();
}

void SamplesToolbar::reset() {
    m_choice = {};
    m_chosen = false;
    const QSignalBlocker quiet(m_part);
    m_part->setCurrentIndex(0);
    setCheckpoints({}, {}, false, {});
}

void SamplesToolbar::setChoice(const EvaluationChoice& choice) {
    m_choice = choice;
    m_chosen = true;
    const QSignalBlocker quiet(m_part);
    m_part->setCurrentIndex(static_cast<int>(choice.part));
    m_checkpoint->setCurrentIndex(m_checkpoint->findData(QString::fromStdString(choice.checkpoint)));
    Q_EMIT choiceChanged();
}

void SamplesToolbar::setCheckpoints(const std::vector<store::CheckpointRow>& rows, const QString& scoreSeries,
                                    bool validated, const QList<OtherCheckpoint>& others) {
    QList<OtherCheckpoint> offered, compared{{QString(), tr("Compare with…"), QString()}};
    if (validated) offered << OtherCheckpoint{QString(), tr("Newest"), QString()};
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
        offered << OtherCheckpoint{QString::fromStdString(row->path), labelOf(*row, scoreSeries),
                                   checkpointTitle(*row)};
        compared << offered.last();
    }
    fill(*m_checkpoint, offered);
    const bool same = fill(*m_second, compared + others);
    int chosen = m_chosen ? m_checkpoint->findData(QString::fromStdString(m_choice.checkpoint)) : -1;
    if (chosen < 0) {
        const store::CheckpointRow* best = validated ? nullptr : store::defaultCheckpoint(rows);
        chosen = best ? m_checkpoint->findData(QString::fromStdString(best->path)) : 0;
        m_choice.checkpoint = best ? best->path : std::string();
        m_chosen = false;
    }
    m_checkpoint->setCurrentIndex(chosen);
    m_checkpoint->setEnabled(m_checkpoint->count() > 0);
    m_second->setEnabled(m_second->count() > 1);
    if (!same) Q_EMIT secondChanged();
}

AskedModel SamplesToolbar::second() const {
    const QString file = m_second->currentData().toString();
    return {file, m_second->currentData(kNameRole).toString()};
}

void SamplesToolbar::setEvaluating(bool running, bool possible) {
    m_evaluating = running;
    setButtonIcon(m_evaluate, running ? QStringLiteral("close") : QStringLiteral("refresh"));
    m_evaluate->setEnabled(running || possible);
    m_evaluate->setToolTip(running    ? tr("Stop evaluating")
                           : possible ? tr("Evaluate the chosen checkpoint on this part of the dataset")
                                      : tr("There is no checkpoint to evaluate yet"));
    fitWidth();
}

void SamplesToolbar::setHasTest(bool has) {
    m_part->setUnavailable(static_cast<int>(DataPart::Test),
                           has ? QString()
                               : tr("This run held out no samples for a test. Set its Test share to hold some out."));
}

void SamplesToolbar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitWidth();
}

// Where space is short, the word of the button goes; its icon and tooltip stay.
void SamplesToolbar::fitWidth() {
    const QString word = m_evaluating ? tr("Cancel") : tr("Evaluate");
    m_evaluate->setAccessibleName(word);
    m_evaluate->setText(word);
    layout()->invalidate();
    if (layout()->minimumSize().width() > width()) m_evaluate->setText({});
}

} // namespace trainyard::ui
