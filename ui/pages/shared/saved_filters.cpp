// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/shared/saved_filters.h"

#include "ui/models/desktop/settings.h"

#include <QCoreApplication>
#include <QLineEdit>

namespace trainyard::ui {

namespace {

struct SavedFilterWords {
    Q_DECLARE_TR_FUNCTIONS(SavedFilters)
};

constexpr qsizetype kMostSaved = 50;
// No filter begins with a line break.
const QString kSaveKey = QStringLiteral("\nsave"), kForgetKey = QStringLiteral("\nforget");

} // namespace

ChoicePicker* savedFiltersPicker(const Workbench& bench, QLineEdit& field, QWidget* parent) {
    const auto setting = Settings::savedFilters.of(QString::fromStdString(bench.feed.workspace().root.string()));
    const QStringList saved = setting.get();
    const QString now = field.text().simplified();
    QList<Choice> choices;
    if (saved.contains(now)) choices << Choice{kForgetKey, SavedFilterWords::tr("Forget this filter"), now, {}};
    else if (!now.isEmpty()) choices << Choice{kSaveKey, SavedFilterWords::tr("Save this filter"), now, {}};
    for (const QString& filter : saved)
        choices << Choice{filter, filter, {}, SavedFilterWords::tr("Saved filters"), filter == now};
    if (choices.isEmpty())
        choices << Choice{QString(), SavedFilterWords::tr("Type a filter first, then save it here"), {}, {}};
    auto* picker = new ChoicePicker(SavedFilterWords::tr("Saved filters"), choices, ChoicePicker::Choose::One, parent);
    QObject::connect(picker, &ChoicePicker::chosen, &field, [&field, setting, saved, now](const QString& key) {
        QStringList filters = saved;
        filters.removeAll(now);
        if (key == kSaveKey) filters.prepend(now);
        if (key == kSaveKey || key == kForgetKey) return setting.set(filters.mid(0, kMostSaved));
        if (!key.isEmpty()) field.setText(key);
        field.setFocus();
    });
    return picker;
}

} // namespace trainyard::ui
