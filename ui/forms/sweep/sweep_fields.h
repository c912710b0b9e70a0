// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/sweep/sweep_sections.h"
#include "ui/forms/fields/form_grid.h"

#include <functional>

namespace trainyard::ui {

class EarlierSweeps;
class FirstConfigurations;
class StopRules;

// What the form says of a sweep beside its axes: which searcher and scheduler, how many trials, what they are compared
// by, and when it ends. All fields come from the engine's tables.
class SweepFields : public QWidget {
    Q_OBJECT
public:
    using TitleOf = std::function<QString(const QString& path)>;
    explicit SweepFields(TitleOf titleOf, QWidget* parent = nullptr);

    // `checkpoint` of the sweep's run: trials that are compared as its checkpoints are follow it when it changes.
    void setSweep(const spec::SweepSpec& sweep, const spec::CheckpointPolicy& checkpoint);
    // A new sweep: the searcher is chosen by itself.
    void clear();
    // From now on the trials are compared as the checkpoints are.
    void followCheckpoint() { m_ownScore = false; }
    // The sweeps of the workspace that this one can begin from, by the words that a sweep file names them with.
    void setEarlierSweeps(const QStringList& sweeps);
    // The whole sweep over `run`. `errors`: what cannot be read, or what its file would be refused for.
    spec::SweepSpec sweepOf(const spec::RunSpec& run, std::vector<spec::Axis> space,
                            std::vector<spec::FieldError>& errors);

    // Says what varies and, when all is right, which searcher is taken for what reason.
    void show(const spec::SweepSpec& sweep, bool right);
    void clearErrors();
    // What the form calls a field of the sweep file.
    QString titleOf(const QString& path) const;
    // Marks what is wrong at the field of a path of the sweep file; without such a field it stands below the axes.
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
    spec::SweepSpec m_sweep; // as it came
    bool m_ownScore = false;
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
