// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/sweep/first_configurations.h"

#include "engine/spec/values/params.h"
#include "ui/models/text/format.h"
#include "ui/widgets/layout.h"

#include <QApplication>

#include <algorithm>

namespace trainyard::ui {

FirstConfigurations::FirstConfigurations(PointFields::TitleOf titleOf, QWidget* parent)
    : QWidget(parent), m_titleOf(std::move(titleOf)), m_lines(column(nullptr)),
      m_add(button(tr("Add a configuration"), QStringLiteral("plus"), "flat")),
      m_error(new Label(QString(), TextRole::SmallError)) {
    auto* layout = column(this);
    m_error->setWordWrap(true);
    m_error->hide();
    m_add->setToolTip(tr("Configurations to try before the searcher's own, such as a known good one"));
    layout->addLayout(m_lines);
    layout->addWidget(m_error);
    layout->addWidget(m_add, 0, Qt::AlignLeft);
    connect(m_add, &QPushButton::clicked, this, [this] { edit(m_configurations.size()); });
}

void FirstConfigurations::setConfigurations(std::vector<spec::Params> configurations) {
    closeEditor();
    m_configurations = std::move(configurations);
    showLines();
}

void FirstConfigurations::setSpace(const std::vector<spec::Axis>& space) {
    if (space == m_space) return;
    closeEditor();
    m_space = space;
    for (spec::Params& each : m_configurations)
        std::erase_if(each, [&](const auto& value) {
            return std::none_of(space.begin(), space.end(), [&](const auto& axis) { return axis.path == value.first; });
        });
    std::erase_if(m_configurations, [](const spec::Params& each) { return each.empty(); });
    showLines();
}

void FirstConfigurations::setError(const QString& message) {
    m_error->setText(message);
    m_error->setVisible(!message.isEmpty());
}

void FirstConfigurations::showLines() {
    while (auto* item = m_lines->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (std::size_t i = 0; i < m_configurations.size(); ++i) m_lines->addWidget(lineOf(i));
}

QString FirstConfigurations::textOf(const spec::Params& configuration) const {
    QStringList parts;
    for (const spec::Axis& axis : m_space) { // in their order
        const auto value = configuration.find(axis.path);
        if (value != configuration.end())
            parts << m_titleOf(QString::fromStdString(axis.path)) + QLatin1Char(' ') +
                         localText(QString::fromStdString(spec::toText(value->second)));
    }
    return parts.join(QStringLiteral(", "));
}

QWidget* FirstConfigurations::lineOf(std::size_t number) {
    auto* holder = new QWidget;
    auto* line = row(holder, 4);
    auto* text = new Label(textOf(m_configurations[number]));
    text->setWordWrap(true);
    text->setMinimumHeight(Theme::current().px(28));
    auto* change = iconButton(QStringLiteral("edit"), tr("Change first configuration %1").arg(number + 1));
    auto* drop = iconButton(QStringLiteral("close"), tr("Remove first configuration %1").arg(number + 1));
    line->addWidget(text, 1);
    line->addWidget(change, 0, Qt::AlignTop);
    line->addWidget(drop, 0, Qt::AlignTop);
    connect(change, &QToolButton::clicked, this, [this, number] { edit(number); });
    connect(drop, &QToolButton::clicked, this, [this, number] {
        closeEditor();
        m_configurations.erase(m_configurations.begin() + static_cast<std::ptrdiff_t>(number));
        showLines();
        Q_EMIT changed();
    });
    return holder;
}

void FirstConfigurations::edit(std::size_t number) {
    closeEditor();
    const bool added = number == m_configurations.size();
    m_editor = new QWidget;
    auto* inner = column(m_editor, 8);
    setMargins(inner, 0, 4, 0, 8);
    auto* fields = new PointFields(m_space, added ? spec::Params{} : m_configurations[number], m_titleOf);
    auto* keep = button(added ? tr("Add") : tr("Change"));
    auto* cancel = button(tr("Cancel"), {}, "flat");
    auto* buttons = row(nullptr, 8);
    buttons->addStretch();
    buttons->addWidget(cancel);
    buttons->addWidget(keep);
    inner->addWidget(fields);
    inner->addLayout(buttons);
    static_cast<QVBoxLayout*>(layout())->insertWidget(1, m_editor);
    m_add->hide();
    const auto judge = [keep, fields] { keep->setEnabled(fields->point().ok()); };
    connect(fields, &PointFields::changed, this, judge);
    connect(cancel, &QPushButton::clicked, this, &FirstConfigurations::closeEditor);
    connect(keep, &QPushButton::clicked, this, [this, fields, number, added] {
        const auto point = fields->point();
        if (!point) return;
        if (added) m_configurations.push_back(*point);
        else m_configurations[number] = *point;
        closeEditor();
        showLines();
        Q_EMIT changed();
    });
    judge();
    fields->setFocus();
}

void FirstConfigurations::closeEditor() {
    if (!m_editor) return;
    const bool focused = m_editor->isAncestorOf(QApplication::focusWidget());
    m_editor->hide();
    m_editor->setParent(nullptr);
    m_editor->deleteLater();
    m_editor = nullptr;
    m_add->show();
    if (focused) m_add->setFocus();
}

} // namespace trainyard::ui
