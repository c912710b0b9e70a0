// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/catalog.h"
#include "engine/spec/sweep/axis.h"

#include <QWidget>

#include <optional>

class QCheckBox;
class QLineEdit;

namespace trainyard::ui {

class Label;
class SegmentedControl;

// Edits the values of a varied field: check boxes for a choice, else a list or a range with its spacing.
class AxisEditor : public QWidget {
    Q_OBJECT
public:
    // `field`: the field that is varied; its name is its path.
    explicit AxisEditor(const spec::ParamInfo& field, QWidget* parent = nullptr);

    // Keeps an axis from a file exactly until the user changes it.
    void setAxis(const spec::Axis& axis);
    // Input error with the reason, in the words of the form, if it is invalid; marks the wrong part.
    Result<spec::Axis> axis() const;
    const spec::ParamInfo& field() const { return m_field; }
    // Names the field, if a row has several.
    void showTitle();
    // Shows the error of a trial with one of the values; empty: none.
    void setTrialFault(const QString& message);
    // Whether swapping the ends of the range would fix it.
    bool endsAreSwapped() const;
    void swapEnds();

Q_SIGNALS:
    void changed();

private:
    enum Part { Whole, List, From, To, Count, Step };
    struct Fault {
        Part part = Whole;
        QString message;
    };
    QWidget* makeChecks();
    void makeRange();
    void layOut();
    void edited();
    void showMode();
    void refresh();
    bool isRange() const;
    std::optional<Fault> read(spec::Axis& axis) const;
    std::optional<Fault> readList(spec::Axis& axis) const;
    std::optional<Fault> readRange(spec::Axis& axis) const;
    std::optional<Fault> readEnds(spec::Axis& axis) const;
    std::optional<Fault> readSpacing(spec::Axis& axis) const;
    QString exampleOf(const spec::Axis& axis) const;

    spec::ParamInfo m_field;
    spec::Axis m_axis;     // as given: keeps settings that the editor has no control for
    bool m_edited = false; // by the user since then
    QString m_trialFault;
    QWidget *m_panel, *m_checks = nullptr, *m_ends = nullptr, *m_spacing = nullptr;
    QList<QCheckBox*> m_boxes;
    std::vector<spec::Value> m_choices; // values of the check boxes
    SegmentedControl *m_kind = nullptr, *m_scale = nullptr;
    QLineEdit *m_list = nullptr, *m_from = nullptr, *m_to = nullptr, *m_count = nullptr, *m_step = nullptr;
    Label *m_title, *m_note;
};

} // namespace trainyard::ui
