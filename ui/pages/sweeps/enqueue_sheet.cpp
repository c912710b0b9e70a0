// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sweeps/enqueue_sheet.h"

#include "engine/spec/space_point.h"
#include "ui/models/format.h"
#include "ui/models/trial_list.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/unit_field.h"

#include <QComboBox>

namespace trainyard::ui {

namespace {

QString valueText(const spec::Value& value) {
    if (const auto* number = std::get_if<double>(&value)) return QString::number(*number, 'g', 6);
    return QString::fromStdString(spec::toText(value));
}

QString rangeText(const spec::Axis& axis) {
    return QStringLiteral("%1 – %2").arg(valueText(axis.from), valueText(axis.to));
}

} // namespace

EnqueueSheet::EnqueueSheet(Workbench& bench, QWidget* window, const QString& sweep, std::vector<spec::Axis> axes,
                           const spec::Params& values)
    : Sheet(window, QSize(Theme::current().px(440),
                          Theme::current().px(std::min(560, 168 + 64 * static_cast<int>(axes.size()))))),
      m_bench(bench), m_sweep(sweep), m_axes(std::move(axes)) {
    panel()->setAccessibleName(tr("Enqueue a configuration"));
    auto* content = new QWidget;
    auto* inner = column(content, 10);
    setMargins(inner, 20, 16, 20, 16);
    inner->addWidget(new Label(tr("Enqueue a configuration"), TextRole::Title));
    auto* about = new Label(tr("It is the next to start."), TextRole::SmallSecondary);
    inner->addWidget(about);
    for (const spec::Axis& axis : m_axes) inner->addWidget(buildField(axis, values));
    inner->addStretch();
    body()->addWidget(scrolled(content), 1);
    body()->addWidget(buildFooter());
    connect(this, &Sheet::closed, this, &QObject::deleteLater);
    judge();
}

QWidget* EnqueueSheet::buildField(const spec::Axis& axis, const spec::Params& values) {
    Field field;
    field.row = new QWidget;
    auto* line = row(field.row, 12);
    auto* name = new Label(shortPath(QString::fromStdString(axis.path)));
    name->setToolTip(QString::fromStdString(axis.path));
    name->setFixedWidth(Theme::current().px(112));
    line->addWidget(name, 0, Qt::AlignTop);
    const auto known = values.find(axis.path);
    const spec::Value value = known != values.end() ? known->second : spec::valueAt(axis, 0.5);
    if (axis.isList()) {
        field.choice = new QComboBox;
        field.choice->setAccessibleName(name->text());
        for (const spec::Value& each : axis.values) field.choice->addItem(valueText(each));
        const auto at = std::find(axis.values.begin(), axis.values.end(), value);
        field.choice->setCurrentIndex(at == axis.values.end() ? 0 : static_cast<int>(at - axis.values.begin()));
        connect(field.choice, &QComboBox::currentIndexChanged, this, &EnqueueSheet::judge);
        line->addWidget(field.choice, 1);
    } else {
        field.text = new UnitField(rangeText(axis));
        field.text->edit()->setAccessibleName(name->text());
        field.text->setText(valueText(value));
        connect(field.text, &UnitField::textEdited, this, &EnqueueSheet::judge);
        line->addWidget(field.text, 1);
    }
    m_fields.push_back(field);
    return field.row;
}

QWidget* EnqueueSheet::buildFooter() {
    auto* footer = new Surface(SurfaceColor::Panel, TopEdge);
    auto* line = row(footer, 8);
    setMargins(line, 20, 11, 20, 10);
    line->addStretch();
    auto* cancel = button(tr("Cancel"));
    m_go = button(tr("Enqueue"), QStringLiteral("plus"), "primary");
    line->addWidget(cancel);
    line->addWidget(m_go);
    connect(cancel, &QPushButton::clicked, this, &Sheet::close);
    connect(m_go, &QPushButton::clicked, this, &EnqueueSheet::enqueue);
    return footer;
}

spec::Params EnqueueSheet::given() const {
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

// Shows the fields that count beside the others, and what is wrong with one of them.
void EnqueueSheet::judge() {
    const auto params = given();
    const auto point = spec::pointOf(m_axes, params);
    for (std::size_t i = 0; i < m_axes.size(); ++i) {
        m_fields[i].row->setVisible(params.contains(m_axes[i].path));
        if (!m_fields[i].text) continue;
        const bool wrong = !point && point.error().where == m_axes[i].path;
        m_fields[i].text->setError(wrong ? QString::fromStdString(point.error().message) : QString());
    }
    m_go->setEnabled(point.ok());
}

void EnqueueSheet::enqueue() {
    m_bench.actions.steer(m_sweep, {.verb = sweep::Steering::Verb::Enqueue, .params = given()});
    close();
}

} // namespace trainyard::ui
