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

// A field of a run that differs from the run it was made from.
struct SettingChange {
    QString path;          // of the run file; "model" for another model with all of its parameters
    QString title;         // as the form calls it
    QString before, after; // as text; empty: not there
    bool operator==(const SettingChange&) const = default;
};
// In the order of their paths. Defaults that are written out do not count as changes, nor does the name.
QList<SettingChange> settingChanges(const spec::RunSpec& before, const spec::RunSpec& after,
                                    const spec::Catalog& catalog);
// `spec` with one field as it is in `before`; `path` as in a SettingChange.
spec::RunSpec withFieldReset(const spec::RunSpec& spec, const spec::RunSpec& before, const QString& path);

// Those changes, each with a button that takes it back; hidden while there is none.
class ChangeList : public QWidget {
    Q_OBJECT
public:
    explicit ChangeList(QWidget* parent = nullptr);
    // `origin`: the name of the run that they are changes of; empty: of a file.
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
