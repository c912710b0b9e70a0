// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/sweep/sweep_sections.h"
#include "ui/forms/fields/form_grid.h"

#include <functional>

namespace trainyard::ui {

class EarlierSweeps;
class FirstConfigurations;
class StopRules;

// A sweep's settings besides its axes: searcher, scheduler, number of trials, score, and limits. All fields come from
// the engine's tables.
class SweepFields : public QWidget {
    Q_OBJECT
public:
    using TitleOf = std::function<QString(const QString& path)>;
    explicit SweepFields(TitleOf titleOf, QWidget* parent = nullptr);

    // `checkpoint`: that of the sweep's run. If trials are compared like its checkpoints, they follow when it changes.
    void setSweep(const spec::SweepSpec& sweep, const spec::CheckpointPolicy& checkpoint);
    // A new sweep: chooses the searcher automatically.
    void clear();
    // From now on, trials are compared like the checkpoints.
    void followCheckpoint() { m_ownScore = false; }
    // What trials are compared by where the run names nothing; empty: nothing.
    void setLikelyScore(const std::string& series) { m_likelyScore = series; }
    ParamField* field(const QString& path) const { return m_fields.value(path); } // of the sweep file; null: none
    // The sweeps of the workspace that this one can use as a warm start, by their names in a sweep file.
    void setEarlierSweeps(const QStringList& sweeps);
    // The whole sweep over `run`. `errors`: unreadable fields, and errors that its file would have.
    spec::SweepSpec sweepOf(const spec::RunSpec& run, std::vector<spec::Axis> space,
                            std::vector<spec::FieldError>& errors);

    // Shows the axes and, if everything is valid, the chosen searcher with the reason.
    void show(const spec::SweepSpec& sweep, bool right);
    void clearErrors();
    void focusScheduler(); // scrolls to it; nothing while no sweep is shown
    // The form's title for a field of the sweep file.
    QString titleOf(const QString& path) const;
    // Marks an error at the field of its path in the sweep file; without such a field, shows it below the axes.
    void setError(const QString& path, const QString& message);

Q_SIGNALS:
    void changed();
    void removed(const QString& path); // an axis

private:
    void addBeginnings(QVBoxLayout* layout);
    void addSections(QVBoxLayout* layout);
    void addFields(const spec::Section& section, QVBoxLayout* layout);
    void chooseSearcher();
    void put(const spec::SweepSpec& sweep);
    void showAxes(const spec::SweepSpec& sweep);
    void showReason(const spec::SweepSpec& sweep);
    void countHidden();

    TitleOf m_titleOf;
    spec::SweepSpec m_sweep; // as given
    bool m_ownScore = false;
    std::string m_likelyScore;
    std::vector<spec::Axis> m_shown;
    FormGrid* m_axes;
    Label *m_error, *m_reason;
    ChoiceRows *m_searcher, *m_scheduler;
    FirstConfigurations* m_first;
    EarlierSweeps* m_earlier;
    StopRules* m_stops;
    QHash<QString, ParamField*> m_fields; // by path of the sweep file
    QPushButton* m_more;
    QWidget* m_hidden;
};

} // namespace trainyard::ui
