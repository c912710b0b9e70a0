// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/sweep/axis_editors.h"

#include "ui/forms/fields/form_grid.h"

#include <QAbstractButton>
#include <QSignalBlocker>

#include <algorithm>

namespace trainyard::ui {

bool overlap(const std::string& a, const std::string& b) {
    return a == b || a.starts_with(b + '.') || b.starts_with(a + '.');
}

AxisEditors::AxisEditors(QWidget* form) : QObject(form), m_parts{form} {}

QList<AxisSpot*> AxisEditors::spots() const {
    QList<AxisSpot*> all;
    for (QWidget* part : m_parts) all << part->findChildren<AxisSpot*>();
    return all;
}

void AxisEditors::setSpace(const std::vector<spec::Axis>& space) {
    for (Kept& kept : m_axes) delete kept.editor;
    m_axes.clear();
    for (const auto& axis : space) m_axes.push_back({.axis = axis, .editor = {}});
    sync();
}

AxisEditors::Kept* AxisEditors::find(const QStringList& paths) {
    const auto found = std::find_if(m_axes.begin(), m_axes.end(), [&](const Kept& kept) {
        return kept.on && paths.contains(QString::fromStdString(kept.axis.path));
    });
    return found == m_axes.end() ? nullptr : &*found;
}

AxisSpot* AxisEditors::spotOf(const std::string& path) const {
    for (auto* spot : spots())
        if (spot->field().paths.contains(QString::fromStdString(path))) return spot;
    return nullptr;
}

void AxisEditors::sync() {
    for (auto* spot : spots()) {
        if (!spot->property("followed").toBool()) {
            spot->setProperty("followed", true);
            connect(spot->toggle(), &QAbstractButton::toggled, this, [this, spot](bool on) {
                vary(QString::fromStdString(spot->field().info().name), on);
                Q_EMIT changed();
            });
        }
        Kept* kept = find(spot->field().paths);
        if (kept) show(*kept, *spot);
        const QSignalBlocker quiet(spot->toggle());
        spot->toggle()->setChecked(kept != nullptr);
        spot->field().setVaried(kept != nullptr);
    }
    for (QWidget* part : std::as_const(m_parts))
        for (auto* toggle : part->findChildren<VaryToggle*>()) toggle->setSweeping(any());
    for (Kept& kept : m_axes)
        if (!kept.on) delete kept.editor;
}

void AxisEditors::show(Kept& kept, AxisSpot& spot) {
    if (kept.editor) return;
    kept.editor = new AxisEditor(spot.field().info());
    kept.editor->setAxis(kept.axis);
    const auto all = spots();
    if (std::count_if(all.begin(), all.end(), [&](auto* each) { return each->below() == spot.below(); }) > 1)
        kept.editor->showTitle();
    spot.below()->addWidget(kept.editor);
    connect(kept.editor, &AxisEditor::changed, this, [this, editor = kept.editor.data()] {
        for (Kept& each : m_axes) // for a rebuilt field to show
            if (each.editor == editor) each.axis = editor->axis().valueOr(each.axis);
        Q_EMIT changed();
    });
}

void AxisEditors::vary(const QString& path, bool on) {
    auto* spot = spotOf(path.toStdString());
    const QStringList paths = spot ? spot->field().paths : QStringList{path};
    const auto known = std::find_if(m_axes.begin(), m_axes.end(), [&](const Kept& kept) {
        return paths.contains(QString::fromStdString(kept.axis.path)) && kept.on != on;
    });
    if (known != m_axes.end()) {
        known->on = on;
        if (on && spot) known->axis.path = path.toStdString();
    } else if (on && spot && !find(paths))
        m_axes.push_back({.axis = defaultAxis(spot->field().info(), spot->field().value()), .editor = {}});
    sync();
}

void AxisEditors::dropLost(const QString& choice) {
    const std::string prefix = choice.toStdString() + '.';
    std::erase_if(m_axes, [&](const Kept& kept) {
        return kept.axis.path.starts_with(prefix) && spotOf(kept.axis.path) == nullptr;
    });
    sync();
}

bool AxisEditors::any() const {
    return std::any_of(m_axes.begin(), m_axes.end(), [](const Kept& kept) { return kept.on; });
}

bool AxisEditors::varies(const std::string& path) const {
    return std::any_of(m_axes.begin(), m_axes.end(),
                       [&](const Kept& kept) { return kept.on && kept.axis.path == path; });
}

bool AxisEditors::touches(const std::string& path) const {
    return std::any_of(m_axes.begin(), m_axes.end(),
                       [&](const Kept& kept) { return kept.on && overlap(kept.axis.path, path); });
}

AxisEditor* AxisEditors::editorOf(const std::string& path) const {
    for (const Kept& kept : m_axes)
        if (kept.on && overlap(kept.axis.path, path)) return kept.editor;
    return nullptr;
}

std::vector<spec::Axis> AxisEditors::space(QList<Wrong>& wrong) const {
    std::vector<spec::Axis> space;
    for (const Kept& kept : m_axes) {
        if (!kept.on) continue;
        auto axis = kept.editor ? kept.editor->axis() : Result<spec::Axis>(kept.axis);
        if (axis) space.push_back(std::move(*axis));
        else wrong << Wrong{kept.axis.path, QString::fromStdString(axis.error().message)};
    }
    return space;
}

bool AxisEditors::setTrialFault(const std::string& path, const QString& message) {
    auto* editor = editorOf(path);
    if (editor) editor->setTrialFault(message);
    return editor != nullptr;
}

void AxisEditors::clearTrialFaults() {
    for (Kept& kept : m_axes)
        if (kept.editor) kept.editor->setTrialFault({});
}

} // namespace trainyard::ui
