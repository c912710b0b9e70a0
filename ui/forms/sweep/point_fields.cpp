// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/sweep/point_fields.h"

#include "engine/spec/sweep/space_point.h"
#include "ui/models/text/format.h"
#include "ui/widgets/inputs/unit_field.h"
#include "ui/widgets/layout.h"

#include <QComboBox>

#include <algorithm>

namespace trainyard::ui {

namespace {

QString pointText(const spec::Value& value) {
    if (const auto* number = std::get_if<double>(&value)) return digitsText(*number, 6);
    return localText(QString::fromStdString(spec::toText(value)));
}

QString endsText(const spec::Axis& axis) {
    return QStringLiteral("%1 – %2").arg(pointText(axis.from), pointText(axis.to));
}

} // namespace

PointFields::PointFields(std::vector<spec::Axis> axes, const spec::Params& values, const TitleOf& titleOf,
                         QWidget* parent)
    : QWidget(parent), m_axes(std::move(axes)) {
    auto* layout = column(this, 8);
    for (const spec::Axis& axis : m_axes) {
        const auto known = values.find(axis.path);
        const spec::Value value = known != values.end() ? known->second : spec::valueAt(axis, 0.5);
        m_fields.push_back(makeField(axis, value, titleOf(QString::fromStdString(axis.path))));
        layout->addWidget(m_fields.back().row);
    }
    if (!m_fields.empty()) {
        const Field& first = m_fields.front();
        setFocusProxy(first.choice ? static_cast<QWidget*>(first.choice) : first.text->edit());
    }
    judge();
    connect(this, &PointFields::changed, this, &PointFields::judge);
}

PointFields::Field PointFields::makeField(const spec::Axis& axis, const spec::Value& value, const QString& title) {
    Field field;
    field.row = new QWidget;
    auto* line = row(field.row, 8);
    auto* name = new Label(title);
    name->setToolTip(QString::fromStdString(axis.path));
    name->setFixedWidth(Theme::current().px(112));
    name->setMinimumHeight(Theme::current().px(28));
    name->setWordWrap(true);
    line->addWidget(name, 0, Qt::AlignTop);
    if (axis.isList()) {
        field.choice = new QComboBox;
        field.choice->setAccessibleName(title);
        for (const spec::Value& each : axis.values) field.choice->addItem(pointText(each));
        const auto at = std::find(axis.values.begin(), axis.values.end(), value);
        field.choice->setCurrentIndex(at == axis.values.end() ? 0 : static_cast<int>(at - axis.values.begin()));
        connect(field.choice, &QComboBox::currentIndexChanged, this, &PointFields::changed);
        line->addWidget(field.choice, 1);
    } else {
        field.text = new UnitField(endsText(axis));
        field.text->edit()->setAccessibleName(title);
        field.text->setText(pointText(value));
        connect(field.text, &UnitField::textEdited, this, &PointFields::changed);
        line->addWidget(field.text, 1);
    }
    return field;
}

spec::Params PointFields::given() const {
    spec::Params params;
    for (std::size_t i = 0; i < m_axes.size(); ++i) {
        const spec::Axis& axis = m_axes[i];
        const Field& field = m_fields[i];
        if (field.choice) {
            params[axis.path] = axis.values[static_cast<std::size_t>(field.choice->currentIndex())];
            continue;
        }
        const std::string text = field.text->text().trimmed().toStdString();
        const auto setting = spec::parseSetting(axis.path + "=" + text);
        params[axis.path] = setting ? setting->second : spec::Value(text);
    }
    return spec::activeParams(m_axes, std::move(params));
}

Result<spec::Params> PointFields::point() const { return spec::pointOf(m_axes, given()); }

// Shows the fields that apply, given the others, and an error of one of them.
void PointFields::judge() {
    const auto params = given();
    const auto point = spec::pointOf(m_axes, params);
    for (std::size_t i = 0; i < m_axes.size(); ++i) {
        m_fields[i].row->setVisible(params.contains(m_axes[i].path));
        if (!m_fields[i].text) continue;
        const bool wrong = !point && point.error().where == m_axes[i].path;
        m_fields[i].text->setError(wrong ? QString::fromStdString(point.error().message) : QString());
    }
}

} // namespace trainyard::ui
