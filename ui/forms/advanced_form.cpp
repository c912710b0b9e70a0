// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/advanced_form.h"

#include "engine/spec/run/better.h"
#include "engine/spec/run/field_use.h"
#include "ui/forms/fields/field_fold.h"
#include "ui/models/text/engine_text.h"
#include "ui/theme/icon.h"

#include <QLineEdit>

#include <algorithm>

namespace trainyard::ui {

namespace {

bool isOfSomeRuns(const std::string& path) {
    const auto& some = spec::fieldsOfSomeRuns();
    return std::find(some.begin(), some.end(), path) != some.end();
}

} // namespace

AdvancedForm::AdvancedForm(const QStringList& leaveOut, FormGrid::Kind kind, const spec::RunSpec& usual,
                           QWidget* parent)
    : QWidget(parent), m_kind(kind), m_usual(spec::sectionValues(usual)),
      m_toggle(button(QString(), QStringLiteral("chevron-right"), "flat")), m_inner(new QWidget) {
    auto* layout = column(this, 4);
    m_toggle->setCheckable(true);
    if (!usual.program)
        m_toggle->setAccessibleDescription(tr("Gradients, augmentation, checkpoints, failures, communication"));
    layout->addWidget(m_toggle, 0, Qt::AlignLeft);
    layout->addWidget(m_inner);
    auto* inner = column(m_inner, 4);
    for (const auto& section : spec::runSections()) addSection(section, leaveOut, inner);
    m_inner->hide();
    connect(m_toggle, &QPushButton::toggled, this, [this](bool on) {
        m_inner->setVisible(on);
        m_toggle->setIcon(icon(on ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
    });
    countChanges();
}

spec::ParamInfo AdvancedForm::withUsual(const spec::ParamInfo& info) const {
    spec::ParamInfo own = info;
    if (const auto usual = m_usual.find(info.name); usual != m_usual.end()) own.defaultValue = usual->second;
    return own;
}

void AdvancedForm::addSection(const spec::Section& section, const QStringList& leaveOut, QVBoxLayout* layout) {
    const auto isLeftOut = [&](const auto& info) { return leaveOut.contains(QString::fromStdString(info.name)); };
    if (std::all_of(section.params.begin(), section.params.end(), isLeftOut)) return;
    auto* grid = new FormGrid(m_kind);
    // Fields that need a whole row come first, then pairs of short ones, then switches.
    const auto turnOf = [](spec::ParamType type) {
        return type == spec::ParamType::Text ? 0 : type == spec::ParamType::Flag ? 2 : 1;
    };
    for (const int turn : {0, 1, 2}) {
        for (const auto& info : section.params) {
            const QString path = QString::fromStdString(info.name);
            if (isLeftOut(info) || turnOf(info.type) != turn) continue;
            auto* field = new ParamField(withUsual(info));
            if (auto* edit = field->findChild<QLineEdit*>(); edit && turn == 0) edit->setPlaceholderText(tr("none"));
            // What only some runs have gets a row of its own, which can be hidden.
            grid->addParam(field, m_kind == FormGrid::Varied ? QStringList{path} : QStringList{},
                           isOfSomeRuns(info.name));
            add(field);
        }
    }
    auto* heading = new Label(engineText(section.title), TextRole::SmallSecondary);
    heading->setToolTip(engineText(section.help));
    if (layout->count() > 0) layout->addSpacing(Theme::current().px(8));
    layout->addWidget(heading);
    layout->addWidget(grid);
}

void AdvancedForm::add(ParamField* field) {
    connect(field, &ParamField::changed, this, [this, field] {
        setModeBySeries(*field);
        countChanges();
        Q_EMIT changed();
    });
    m_fields.insert(QString::fromStdString(field->info().name), field);
}

ParamField* AdvancedForm::makeElsewhere(const QString& path, ParamField::Look look,
                                        const std::vector<std::string>& options) {
    for (const auto& section : spec::runSections())
        for (const auto& known : section.params) {
            if (path.toStdString() != known.name) continue;
            spec::ParamInfo info = withUsual(known);
            if (!options.empty()) info.options = options;
            auto* field = new ParamField(info, look);
            add(field);
            return field;
        }
    return nullptr;
}

void AdvancedForm::showUsed(const std::function<bool(const std::string& path)>& isUsed) {
    for (const std::string& path : spec::fieldsOfSomeRuns())
        if (auto* row = field(QString::fromStdString(path)))
            row->parentWidget()->setVisible(isUsed(path) || needsRow(*row->parentWidget()));
}

void AdvancedForm::setOpen(bool open) { m_toggle->setChecked(open); }

void AdvancedForm::setSpec(const spec::RunSpec& spec) {
    for (const auto& [path, value] : spec::sectionValues(spec))
        if (auto* field = this->field(QString::fromStdString(path))) field->setValue(value);
    countChanges();
}

spec::RunSpec AdvancedForm::applied(const spec::RunSpec& spec, QStringList* errors) {
    spec::Params values;
    for (auto it = m_fields.begin(); it != m_fields.end(); ++it) {
        auto value = it.value()->value();
        it.value()->setError({});
        if (value) values[it.key().toStdString()] = *value;
        else {
            const QString message = QString::fromStdString(value.error().message);
            setError(it.key(), message);
            *errors << tr("%1: %2").arg(engineText(it.value()->info().title), message);
        }
    }
    auto changed = spec::withSectionValues(spec, values);
    if (!changed) {
        setError(QString::fromStdString(changed.error().where), QString::fromStdString(changed.error().message));
        *errors << QString::fromStdString(changed.error().text());
        return spec;
    }
    return *changed;
}

bool AdvancedForm::setError(const QString& path, const QString& message) {
    auto* at = field(path);
    if (!at) return false;
    if (!at->hasError()) at->setError(message);
    if (m_inner->isAncestorOf(at)) setOpen(true);
    return true;
}

// The mode follows the name of a typed series; the user can change it afterwards.
void AdvancedForm::setModeBySeries(const ParamField& series) {
    auto* mode = field(QString::fromStdString(spec::modePathOf(series.info().name)));
    const auto name = series.value();
    if (!mode || !name) return;
    const std::string text = spec::toText(*name);
    mode->setValue(text.empty() ? mode->info().defaultValue : spec::Value(std::string(toString(spec::betterOf(text)))));
}

// The closed section shows how many of its fields differ from their defaults.
void AdvancedForm::countChanges() {
    int count = 0;
    for (const auto* field : m_fields) {
        if (!m_inner->isAncestorOf(field)) continue;
        const auto value = field->value();
        count += !value || spec::toText(*value) != spec::toText(field->info().defaultValue) ? 1 : 0;
    }
    m_changed = count;
    m_toggle->setText(count == 0 ? tr("Advanced") : tr("Advanced (%1 changed)").arg(count));
}

} // namespace trainyard::ui
