// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/catalog.h"
#include "engine/spec/run/run_spec.h"

#include <QList>
#include <QWidget>

class QScrollArea;
class QVBoxLayout;

namespace trainyard::ui {

class Label;

// A field of a run that differs from its origin.
struct SettingChange {
    QString path;          // of the run file; "model" for another model with all of its parameters
    QString title;         // the title in the form
    QString before, after; // as text; empty: missing
    bool operator==(const SettingChange&) const = default;
};
// Sorted by path. Explicit defaults do not count as changes, nor does the name.
QList<SettingChange> settingChanges(const spec::RunSpec& before, const spec::RunSpec& after,
                                    const spec::Catalog& catalog);
// `spec` with one field as it is in `before`; `path` as in a SettingChange.
spec::RunSpec withFieldReset(const spec::RunSpec& spec, const spec::RunSpec& before, const QString& path);

// Shows the changes, each with a button that reverts it; nothing but a line while there are none.
class ChangeList : public QWidget {
    Q_OBJECT
public:
    explicit ChangeList(QWidget* parent = nullptr);
    // `origin`: the name of the original run; empty: a file.
    void setChanges(const QList<SettingChange>& changes, const QString& origin);
    const QList<SettingChange>& changes() const { return m_changes; }

Q_SIGNALS:
    void resetRequested(const QString& path);

private:
    void addRow(const SettingChange& change);

    QList<SettingChange> m_changes;
    Label* m_title;
    QScrollArea* m_scroll;
    QWidget* m_area;
    QVBoxLayout* m_rows;
};

} // namespace trainyard::ui
