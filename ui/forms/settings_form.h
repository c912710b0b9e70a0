// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/slurm/partitions.h"
#include "engine/run/slurm/slurm_job.h"
#include "engine/spec/sweep/sweep_spec.h"

#include <QHash>
#include <QStringList>
#include <QWidget>

#include <optional>

namespace trainyard::ui {

// The left side of the New run sheet: fields that are read into a run file. RunForm has those of a training of
// Trainyard, ProgramForm those of a program.
class SettingsForm : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    ~SettingsForm() override;

    // The content of the form, validated: `errors` holds all errors, each also shown at its field.
    struct State {
        spec::RunSpec spec;
        spec::RunSpec shown;                  // the run to preview: the first trial of a sweep, else the run itself
        std::optional<spec::SweepSpec> sweep; // if a field varies and everything is valid
        int trials = 1;                       // number of the sweep's runs
        QHash<QString, QString> titles;       // of the axes, by path
        QList<double> learningRates;          // the different learning rates of the trials
        QStringList errors;                   // "Batch: must be at least 1", in the order of the form
        QStringList unplaced;                 // those of them that stand at no field
        bool sweeping = false;
        std::optional<run::SlurmRequest> slurm{}; // set for a Slurm job, or an array job of a sweep
        QString home;                             // the host for the run's home; empty: this computer
        QString lrError;                          // error of the learning rates; empty: none
        bool endsAreSwapped = false;              // the ends of their range
    };
    virtual State read() = 0;

    virtual void setSpec(const spec::RunSpec& spec) = 0;
    // After setSpec() of its run. All of its space and settings are kept.
    virtual void setSweep(const spec::SweepSpec& sweep) = 0;
    // Sets all fields from `spec`, which differs little from them; varied fields stay varied.
    virtual void change(const spec::RunSpec& spec) = 0;
    // Whether the rows that a first run does not need are shown as well.
    virtual void setAllFields(bool all) = 0;
    // Marks the titles of the fields of these paths, and unmarks all others.
    virtual void markChanged(const QStringList& paths) = 0;
    // The sweeps of the workspace that a new one can use as a warm start, by name or id.
    virtual void setEarlierSweeps(const QStringList& sweeps) = 0;
    // Offers to make it a job. Once.
    virtual void offerSlurm(const std::vector<run::SlurmPartition>& partitions) = 0;

    virtual QWidget* first() const = 0; // the field to start with
    // The first field in error; null: there is none.
    virtual QWidget* firstFault() const = 0;
    virtual QWidget* taskField() const = 0;
    // What the summary of the form names.
    virtual QWidget* whereField() const = 0;
    virtual QWidget* sweepField() const = 0;

Q_SIGNALS:
    void changed();
    // Another kind of run: a task of Trainyard ("classification"), or a program (empty).
    void taskRequested(const std::string& task);
};

} // namespace trainyard::ui
