// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/sweep_spec.h"
#include "ui/forms/form_grid.h"

#include <functional>

namespace trainyard::ui {

// The learning rate is the one field whose values the form can change (LrField).
inline constexpr const char* kLrPath = "optimizer.lr";

// How the learning rate is varied, as its field says.
struct LrAxis {
    std::optional<spec::Axis> axis;    // nothing: it is not varied
    std::optional<std::string> search; // asked for by the field; nothing: any will do
    int trials = 0;                    // of a random search
};

// What a sweep varies besides the learning rate, and how its trials are made: shown, kept as it came, and each field
// can be removed.
class SweepFields : public QWidget {
    Q_OBJECT
public:
    using TitleOf = std::function<QString(const QString& path)>;
    explicit SweepFields(TitleOf titleOf, QWidget* parent = nullptr);

    // `checkpoint` of the sweep's run: trials that are compared as its checkpoints are follow it when it changes.
    void setSweep(const spec::SweepSpec& sweep, const spec::CheckpointPolicy& checkpoint);
    void clear();
    // From now on the trials are compared as the checkpoints are.
    void followCheckpoint() { m_ownScore = false; }
    // Whether a field besides the learning rate is varied.
    bool any() const;
    const spec::SweepSpec& given() const { return m_sweep; }
    bool varies(const std::string& path) const;
    // Whether a field that is varied is this one, lies in it or holds it: "model" and "model.name" are one.
    bool touches(const std::string& path) const;
    // The whole sweep over `run`, with the learning rate in its place of the order.
    spec::SweepSpec sweepOf(const spec::RunSpec& run, const LrAxis& lr) const;
    // Says how many trials `sweep` makes and how; `error` stands under it, empty: nothing is wrong.
    void show(const spec::SweepSpec& sweep, int trials, const QString& error);

Q_SIGNALS:
    void changed();

private:
    void fill();
    void remove(const std::string& path);

    TitleOf m_titleOf;
    spec::SweepSpec m_sweep; // as it came, less what was removed
    bool m_ownScore = false;
    FormGrid* m_grid;
    Label *m_note, *m_error;
};

// Whether one of two paths of the run file is the other or lies in it.
bool overlap(const std::string& a, const std::string& b);
// "0.1, 0.2", or "0.001 to 1, log, 4 values".
QString valuesText(const spec::Axis& axis, bool random);

} // namespace trainyard::ui
