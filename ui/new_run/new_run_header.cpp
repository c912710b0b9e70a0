// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_run/new_run_header.h"

#include "ui/new_run/checkpoint_choice.h"
#include "ui/theme/icon.h"
#include "ui/widgets/inputs/segmented_control.h"
#include "ui/widgets/label.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>

namespace trainyard::ui {

NewRunHeader::NewRunHeader() : Surface(SurfaceColor::Panel, BottomEdge) {
    const Theme& theme = Theme::current();
    setFixedHeight(theme.px(48));
    m_title = new Label(tr("New run"), TextRole::Title);
    m_name = new QLineEdit;
    m_name->setMaximumWidth(theme.px(280));
    m_name->setMinimumWidth(theme.px(112));
    m_name->setMaxLength(120);
    m_name->setAccessibleName(tr("Name of the run"));
    m_name->addAction(icon(QStringLiteral("edit")), QLineEdit::TrailingPosition);
    m_page = new SegmentedControl({tr("Settings"), tr("Preview")});
    m_page->setAccessibleName(tr("Page"));
    buildChoices();
    auto* close = iconButton(QStringLiteral("close"), tr("Close"), QStringLiteral("Esc"));
    connect(close, &QToolButton::clicked, this, &NewRunHeader::closeRequested);
    connect(m_name, &QLineEdit::textEdited, this, &NewRunHeader::nameEdited);
    connect(m_page, &SegmentedControl::currentIndexChanged, this, &NewRunHeader::pageChosen);

    auto* line = row(this, 12);
    setMargins(line, 20, 0, 12, 1);
    line->addWidget(m_title);
    line->addWidget(m_name, 1);
    line->addStretch();
    line->addWidget(m_page);
    line->addStretch();
    line->addWidget(m_choiceLabel);
    line->addWidget(m_preset);
    line->addWidget(m_checkpoint);
    line->addWidget(close);
}

void NewRunHeader::buildChoices() {
    m_choiceLabel = new Label(tr("Preset"), TextRole::SmallSecondary);
    m_preset = new QComboBox;
    m_preset->setMinimumWidth(Theme::current().px(112));
    m_preset->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_preset->setMinimumContentsLength(10);
    m_preset->setAccessibleName(tr("Preset"));
    m_checkpoint = new CheckpointChoice;
    m_checkpoint->hide();
    connect(m_preset, &QComboBox::activated, this, [this](int index) {
        if (index > 0) Q_EMIT presetChosen(presets()[m_preset->itemData(index).toULongLong()]);
    });
    connect(m_checkpoint, &QComboBox::activated, this, &NewRunHeader::checkpointChosen);
}

void NewRunHeader::setTitle(const QString& title) { m_title->setText(title); }

QString NewRunHeader::name() const { return m_name->text().simplified(); }

void NewRunHeader::setName(const QString& name) { m_name->setText(name); }

void NewRunHeader::markName(bool refused) { setKind(m_name, refused ? "error" : ""); }

void NewRunHeader::offerPresets(const spec::Catalog& catalog) {
    m_preset->addItem(tr("Custom"));
    for (std::size_t i = 0; i < presets().size(); ++i)
        if (spec::Catalog::find(catalog.models, presets()[i].model))
            m_preset->addItem(QCoreApplication::translate("trainyard::ui::Preset", presets()[i].title),
                              static_cast<qulonglong>(i));
}

void NewRunHeader::showFirstPreset() {
    m_preset->setCurrentIndex(std::max(0, m_preset->findData(static_cast<qulonglong>(0))));
}

void NewRunHeader::showCustom() { m_preset->setCurrentIndex(0); }

CheckpointChoice* NewRunHeader::offerCheckpoints() {
    m_choiceLabel->setText(tr("Start from"));
    m_preset->hide();
    m_checkpoint->show();
    return m_checkpoint;
}

void NewRunHeader::setBothPages(bool both) {
    m_both = both;
    m_page->setVisible(!both);
    showChoices();
}

void NewRunHeader::setProgram(bool on) {
    m_isProgram = on;
    m_page->setItem(1, on ? tr("Arguments") : tr("Preview"));
    m_preset->setVisible(!on && m_checkpoint->isHidden());
    showChoices();
}

void NewRunHeader::showChoices() {
    const bool any = !m_isProgram || !m_checkpoint->isHidden();
    m_choiceLabel->setVisible(m_both && any);
}

bool NewRunHeader::showsPreview() const { return m_page->currentIndex() == 1; }

void NewRunHeader::showSettings() { m_page->setCurrentIndex(0); }

} // namespace trainyard::ui
