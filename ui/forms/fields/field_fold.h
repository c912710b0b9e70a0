// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

#include <functional>

class QWidget;

namespace trainyard::ui {

class ChoiceRows;

// The rows of a form that a run does not need: hidden until all are asked for, except those that are set, varied or in
// error. A shown row is not hidden while the form is edited, so that nothing moves under the pointer.
class FieldFold {
public:
    // Widgets that are hidden together. Without `isNeeded`: needsRow() of the first decides.
    void add(const QList<QWidget*>& widgets, std::function<bool()> isNeeded = {});
    // The rows of a choice after the first ones (ChoiceRows::setFirstParams), as it has them at the time.
    void addRest(const ChoiceRows& choice) { m_choices << &choice; }

    // Shows all, or hides what is not needed.
    void setAll(bool all);
    bool showsAll() const { return m_all; }
    // Hides what is not needed after other values were set.
    void begin();
    // Shows what has become needed.
    void update();

private:
    struct Part {
        QList<QWidget*> widgets;
        std::function<bool()> isNeeded;
    };
    void fit(const Part& part, bool mayHide) const;
    void fitAll(bool mayHide);

    QList<Part> m_parts;
    QList<const ChoiceRows*> m_choices;
    bool m_all = true;
};

// Rule: whether a row of the form must be shown: one of its fields is set, varied or in error.
bool needsRow(const QWidget& row);

} // namespace trainyard::ui
