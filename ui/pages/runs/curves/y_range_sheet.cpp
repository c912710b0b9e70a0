// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/curves/y_range_sheet.h"

#include "ui/forms/fields/param_field.h"
#include "ui/models/text/format.h"
#include "ui/widgets/inputs/unit_field.h"
#include "ui/widgets/layout.h"

#include <cmath>

namespace trainyard::ui {

namespace {

Result<double> readEnd(const QString& text, const char* where) {
    auto value = readNumber(text.trimmed());
    if (!value || !std::isfinite(*value))
        return inputError("is not a number", where, "type a number such as 0.05 or 1e-3");
    return value;
}

} // namespace

Result<std::pair<double, double>> readYRange(const QString& lowest, const QString& highest) {
    TY_ASSIGN(const double low, readEnd(lowest, "lowest"));
    TY_ASSIGN(const double high, readEnd(highest, "highest"));
    if (!(low < high)) return inputError("is not above the lowest value", "highest", "type a larger number");
    return std::pair{low, high};
}

YRangeSheet::YRangeSheet(QWidget* window, const QString& chart, const AxisRange& shown,
                         const std::optional<std::pair<double, double>>& typed)
    : Sheet(window, QSize(380, 250)), m_low(new UnitField), m_high(new UnitField) {
    connect(this, &Sheet::closed, this, &QObject::deleteLater);
    auto* content = new QWidget;
    auto* rows = column(content, 8);
    setMargins(rows, 16, 16, 16, 16);
    rows->addWidget(new Label(tr("Y range of %1").arg(chart), TextRole::Heading));
    const auto add = [&](const QString& name, UnitField* field, double value) {
        auto* label = new Label(name, TextRole::Secondary);
        label->setBuddy(field->edit());
        label->setMinimumWidth(Theme::current().px(72));
        field->edit()->setAccessibleName(name);
        field->setText(digitsText(value, 4));
        auto* line = row(nullptr, 8);
        line->addWidget(label, 0, Qt::AlignTop);
        line->addWidget(field, 1);
        rows->addLayout(line);
    };
    add(tr("Highest"), m_high, typed ? typed->second : shown.high);
    add(tr("Lowest"), m_low, typed ? typed->first : shown.low);
    rows->addStretch(1);
    auto* automatic = button(tr("Fit to the points"));
    automatic->setEnabled(typed.has_value());
    automatic->setToolTip(tr("Drop the typed range and fit the axis to the points"));
    auto* cancel = button(tr("Cancel"));
    auto* use = button(tr("Use"), {}, "primary");
    auto* buttons = row(nullptr, 8);
    buttons->addWidget(automatic);
    buttons->addStretch(1);
    buttons->addWidget(cancel);
    buttons->addWidget(use);
    rows->addLayout(buttons);
    body()->addWidget(content);
    connect(use, &QPushButton::clicked, this, &YRangeSheet::apply);
    connect(cancel, &QPushButton::clicked, this, &Sheet::close);
    connect(automatic, &QPushButton::clicked, this, [this] {
        Q_EMIT chosen(std::nullopt);
        close();
    });
    setFirst(m_high->edit());
}

void YRangeSheet::apply() {
    const auto range = readYRange(m_low->text(), m_high->text());
    const bool high = !range && range.error().where == "highest";
    const QString why = range ? QString()
                              : tr("%1; %2").arg(QString::fromStdString(range.error().message),
                                                 QString::fromStdString(range.error().remedy));
    m_low->setError(high ? QString() : why);
    m_high->setError(high ? why : QString());
    if (!range) return;
    Q_EMIT chosen(*range);
    close();
}

} // namespace trainyard::ui
