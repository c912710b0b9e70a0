// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forms/fields/axis_defaults.h"
#include "ui/forms/fields/axis_spot.h"
#include "ui/forms/sweep/axis_editor.h"

#include <QPointer>

namespace trainyard::ui {

// Whether one of two paths of the run file is the other or lies in it.
bool overlap(const std::string& a, const std::string& b);

// The axes of the sweep that a form makes, in their order, and an editor below each field that varies. Axes of fields
// that the form does not have are kept.
class AxisEditors : public QObject {
    Q_OBJECT
public:
    // The spots are those below `form`, whenever they come and go.
    explicit AxisEditors(QWidget* form);

    void setSpace(const std::vector<spec::Axis>& space);
    void clear() { setSpace({}); }
    // After fields of the form were made anew.
    void sync();
    // Drops the axes of parameters that a choice ("model") no longer has.
    void dropLost(const QString& choice);
    void vary(const QString& path, bool on);

    bool any() const;
    bool varies(const std::string& path) const;
    // Whether a field that is varied is this one, lies in it or holds it: "model" and "model.name" are one.
    bool touches(const std::string& path) const;
    AxisEditor* editorOf(const std::string& path) const; // null: none

    // The axes as they stand; what is wrong with one is told by its path.
    struct Wrong {
        std::string path;
        QString message;
    };
    std::vector<spec::Axis> space(QList<Wrong>& wrong) const;
    // Marks a trial's fault at the field it comes from; false: there is no editor.
    bool setTrialFault(const std::string& path, const QString& message);
    void clearTrialFaults();

Q_SIGNALS:
    void changed();

private:
    struct Kept {
        spec::Axis axis;
        bool on = true; // off: remembered, should it be varied again
        QPointer<AxisEditor> editor;
    };
    Kept* find(const QStringList& paths);
    void show(Kept& kept, AxisSpot& spot);
    AxisSpot* spotOf(const std::string& path) const;

    QWidget* m_form;
    std::vector<Kept> m_axes;
};

} // namespace trainyard::ui
