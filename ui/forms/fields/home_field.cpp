// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/fields/home_field.h"

#include "ui/forms/fields/form_grid.h"
#include "ui/widgets/label.h"

#include <QComboBox>
#include <QSignalBlocker>

namespace trainyard::ui {

HomeField::HomeField(QWidget* parent) : QWidget(parent) {
    auto* layout = column(this, 4);
    auto* grid = new FormGrid(FormGrid::Varied);
    m_combo = new QComboBox;
    m_combo->setAccessibleName(tr("Supervised on"));
    m_combo->addItem(tr("This computer"), QString());
    grid->addRow(tr("Supervised on"), m_combo);
    m_note = new Label(QString(), TextRole::SmallSecondary);
    m_note->setWordWrap(true);
    m_note->setContentsMargins(FormGrid::fieldStart(), 0, Theme::current().px(VaryToggle::kWidth), 0);
    layout->addWidget(grid);
    layout->addWidget(m_note);
    connect(m_combo, &QComboBox::currentIndexChanged, this, [this] {
        explain();
        Q_EMIT changed();
    });
    hide();
}

void HomeField::setHosts(const QStringList& hosts, bool sweeping) {
    m_sweeping = sweeping;
    QStringList known;
    for (int at = 1; at < m_combo->count(); ++at) known << m_combo->itemText(at);
    if (known != hosts) {
        const QString before = home();
        const QSignalBlocker quiet(m_combo);
        while (m_combo->count() > 1) m_combo->removeItem(1);
        for (const QString& host : hosts) m_combo->addItem(host, host);
        m_combo->setCurrentIndex(std::max(0, m_combo->findData(before)));
    }
    setVisible(!hosts.isEmpty());
    explain();
}

QString HomeField::home() const { return m_combo->currentData().toString(); }

void HomeField::explain() {
    const QString host = home();
    if (host.isEmpty())
        return m_note->setText(m_sweeping ? tr("This computer supervises the sweep and must stay on while it trains.")
                                          : tr("This computer supervises the run and must stay on while it trains."));
    QString text = m_sweeping
                       ? tr("The sweep and its trials live on %1; you can shut this computer down.").arg(host)
                       : tr("The run and its checkpoints live on %1; you can shut this computer down.").arg(host);
    if (m_combo->count() > 2) text += QLatin1Char(' ') + tr("%1 reaches the other hosts with its own keys.").arg(host);
    m_note->setText(text);
}

} // namespace trainyard::ui
