// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/fields/count_field.h"

#include "ui/forms/fields/axis_spot.h"
#include "ui/forms/fields/field_title.h"
#include "ui/forms/fields/param_field.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>

namespace trainyard::ui {

CountField::CountField(const QString& path, const QString& title, const QList<Unit>& units, QObject* parent)
    : QObject(parent), m_path(path), m_title(title),
      m_number(new UnitField(units.size() == 1 ? units.front().word : QString())), m_toggle(new VaryToggle(title)) {
    m_number->edit()->setAccessibleName(title);
    connect(m_number, &UnitField::textEdited, this, &CountField::changed);
    if (units.size() > 1) m_units = new QComboBox;
    for (const auto& [unitPath, word] : units) {
        m_paths << unitPath;
        if (m_units) m_units->addItem(word);
    }
    if (m_units) connect(m_units, &QComboBox::activated, this, &CountField::changed);
    const auto info = [this] {
        const QString now = m_paths[unit()];
        return spec::ParamInfo{.name = now.toStdString(),
                               .title = fieldTitle(now, {}, {}).toStdString(),
                               .type = spec::ParamType::Integer,
                               .min = 1};
    };
    new AxisSpot({.info = info,
                  .paths = m_paths,
                  .value = [this] { return spec::Value(value().valueOr(1)); },
                  .setVaried =
                      [this](bool on) {
                          m_number->setEnabled(!on);
                          if (m_units) m_units->setEnabled(!on);
                      }},
                 m_toggle, nullptr);
}

bool CountField::is(const QString& path) const { return path == m_path || m_paths.contains(path); }

void CountField::set(std::int64_t value, int unit) {
    m_number->setText(QString::number(value));
    if (m_units) m_units->setCurrentIndex(unit);
}

Result<std::int64_t> CountField::value() const { return readInteger(m_number->text()); }

void CountField::addTo(QHBoxLayout& line) const {
    line.addWidget(m_number, 1);
    if (!m_units) return;
    line.addSpacing(Theme::current().px(8));
    line.addWidget(m_units, 0, Qt::AlignTop);
}

} // namespace trainyard::ui
