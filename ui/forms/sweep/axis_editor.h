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

// The values of one field that a sweep varies: check marks for a choice, else a list, or a range with its spacing.
class AxisEditor : public QWidget {
    Q_OBJECT
public:
    // `field`: the field that is varied; its name is its path.
    explicit AxisEditor(const spec::ParamInfo& field, QWidget* parent = nullptr);

    // An axis that a file brought is kept to the bit until a person changes it.
    void setAxis(const spec::Axis& axis);
    // Input with the reason, in the words of the form, when there is none; the part that is wrong is marked.
    Result<spec::Axis> axis() const;
    const spec::ParamInfo& field() const { return m_field; }
    // Says which field it is of, where a row has several.
    void showTitle();
    // Says what is wrong with a trial that has one of the values; empty: nothing.
    void setTrialFault(const QString& message);
    // Whether swapping the ends of the range would put it right.
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
    spec::Axis m_axis;     // as it came: what the editor has no control for stays
    bool m_edited = false; // since then
    QString m_trialFault;
    QWidget *m_panel, *m_checks = nullptr, *m_ends = nullptr, *m_spacing = nullptr;
    QList<QCheckBox*> m_boxes;
    std::vector<spec::Value> m_choices; // of the boxes
    SegmentedControl *m_kind = nullptr, *m_scale = nullptr;
    QLineEdit *m_list = nullptr, *m_from = nullptr, *m_to = nullptr, *m_count = nullptr, *m_step = nullptr;
    Label *m_title, *m_note;
};

} // namespace trainyard::ui
