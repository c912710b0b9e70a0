// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forms/fields/axis_defaults.h"
#include "ui/forms/fields/axis_spot.h"
#include "ui/forms/sweep/axis_editor.h"

#include <QList>
#include <QPointer>

namespace trainyard::ui {

// Whether two paths of the run file are equal, or one lies inside the other.
bool overlap(const std::string& a, const std::string& b);

// The axes of the form's sweep, in order, with an editor below each varied field. Keeps axes of fields that the form
// does not have.
class AxisEditors : public QObject {
    Q_OBJECT
public:
    // The spots are those inside `form`, which may come and go.
    explicit AxisEditors(QWidget* form);
    // Also those inside this widget, which lives as long.
    void alsoIn(QWidget* part) { m_parts << part; }

    void setSpace(const std::vector<spec::Axis>& space);
    void clear() { setSpace({}); }
    // Called after the form has rebuilt fields.
    void sync();
    // Drops the axes of parameters that a choice ("model") no longer has.
    void dropLost(const QString& choice);
    void vary(const QString& path, bool on);

    bool any() const;
    bool varies(const std::string& path) const;
    // Whether a varied field is this one, lies inside it or contains it: "model" and "model.name" count as one.
    bool touches(const std::string& path) const;
    AxisEditor* editorOf(const std::string& path) const; // null: none

    // The current axes; errors name an axis by its path.
    struct Wrong {
        std::string path;
        QString message;
    };
    std::vector<spec::Axis> space(QList<Wrong>& wrong) const;
    // Marks a trial's error at the field that causes it; false: there is no editor.
    bool setTrialFault(const std::string& path, const QString& message);
    void clearTrialFaults();

Q_SIGNALS:
    void changed();

private:
    struct Kept {
        spec::Axis axis;
        bool on = true; // off: kept in case it varies again
        QPointer<AxisEditor> editor;
    };
    Kept* find(const QStringList& paths);
    void show(Kept& kept, AxisSpot& spot);
    AxisSpot* spotOf(const std::string& path) const;
    QList<AxisSpot*> spots() const;

    QList<QWidget*> m_parts;
    std::vector<Kept> m_axes;
};

} // namespace trainyard::ui
