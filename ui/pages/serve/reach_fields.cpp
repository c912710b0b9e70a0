// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/serve/reach_fields.h"

#include "ui/widgets/inputs/path_field.h"
#include "ui/widgets/inputs/segmented_control.h"
#include "ui/widgets/inputs/switch.h"
#include "ui/widgets/layout.h"

#include <QGridLayout>

namespace trainyard::ui {

Label* addFieldRow(QGridLayout& grid, const QString& title, QWidget* field) {
    const int line = grid.rowCount();
    auto* label = new Label(title, TextRole::Secondary);
    label->setMinimumWidth(Theme::current().px(104));
    label->setMinimumHeight(Theme::current().px(28));
    grid.addWidget(label, line, 0, Qt::AlignTop | Qt::AlignLeft);
    grid.addWidget(field, line, 1);
    if (field->accessibleName().isEmpty()) field->setAccessibleName(title);
    return label;
}

ReachFields::ReachFields(QWidget* parent)
    : QWidget(parent), m_choice(new SegmentedControl({tr("This computer"), tr("Others, too")})), m_host(new UnitField),
      m_certificate(new PathField(PathField::File)), m_key(new PathField(PathField::File)),
      m_plain(new Switch(tr("No encryption"))), m_warning(new Label(QString(), TextRole::SmallSecondary)) {
    auto* rows = column(this, 12);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(Theme::current().px(12));
    grid->setVerticalSpacing(Theme::current().px(8));
    grid->setColumnStretch(1, 1);
    build(*grid);
    rows->addLayout(grid);
    m_warning->setWordWrap(true);
    rows->addWidget(m_warning);
    refresh();
}

void ReachFields::build(QGridLayout& grid) {
    const auto alone = [](QWidget* control) { // as wide as it needs
        auto* holder = new QWidget;
        auto* line = row(holder);
        line->addWidget(control);
        line->addStretch();
        return holder;
    };
    m_choice->setAccessibleName(tr("Who can reach it"));
    addFieldRow(grid, tr("Reached from"), alone(m_choice));
    m_host->setText(QStringLiteral("0.0.0.0"));
    m_host->edit()->setAccessibleName(tr("Address"));
    m_host->setToolTip(tr("0.0.0.0: every address of this computer"));
    m_certificate->setTitle(tr("Certificate"));
    m_certificate->setPatterns({QStringLiteral("*.pem"), QStringLiteral("*.crt")});
    m_key->setTitle(tr("Key"));
    m_key->setPatterns({QStringLiteral("*.pem"), QStringLiteral("*.key")});
    const auto beyond = [&](const QString& title, QWidget* field) {
        m_beyond << addFieldRow(grid, title, field) << field;
    };
    beyond(tr("Address"), m_host);
    beyond(tr("Certificate"), m_certificate);
    beyond(tr("Key"), m_key);
    beyond(QString(), alone(m_plain));
    const auto edited = [this] {
        refresh();
        Q_EMIT changed();
    };
    connect(m_choice, &SegmentedControl::currentIndexChanged, this, edited);
    connect(m_plain, &QAbstractButton::toggled, this, edited);
    for (UnitField* each : {m_host, static_cast<UnitField*>(m_certificate), static_cast<UnitField*>(m_key)})
        connect(each, &UnitField::textEdited, this, edited);
}

void ReachFields::refresh() {
    const bool beyond = m_choice->currentIndex() == 1;
    for (QWidget* each : std::as_const(m_beyond)) each->setVisible(beyond);
    m_certificate->setEnabled(!m_plain->isChecked());
    m_key->setEnabled(!m_plain->isChecked());
    m_warning->setText(!beyond ? QString()
                       : m_plain->isChecked()
                           ? tr("Everything travels in the clear: who can listen on the network can read the requests, "
                                "the answers and the token, and use it.")
                           : tr("Whoever has the token can ask it, from any computer that reaches this one."));
    m_warning->setVisible(beyond);
}

void ReachFields::write(serve::ServiceSpec& spec) const {
    if (m_choice->currentIndex() == 0) return;
    spec.host = m_host->text().trimmed().toStdString();
    spec.plaintext = m_plain->isChecked();
    if (spec.plaintext) return;
    spec.certificate = m_certificate->path().toStdString();
    spec.key = m_key->path().toStdString();
}

} // namespace trainyard::ui
