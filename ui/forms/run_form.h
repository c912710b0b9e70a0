// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/slurm/slurm_job.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "ui/forms/fields/count_field.h"
#include "ui/forms/fields/field_fold.h"
#include "ui/forms/fields/where_fields.h"
#include "ui/forms/sweep/axis_editors.h"
#include "ui/forms/sweep/sweep_fields.h"
#include "ui/models/new_run/training_source.h"

#include <array>
#include <optional>

namespace trainyard::ui {

class AdvancedForm;
class LrField;
class SegmentedControl;
class UsualOptimizer;

// The left side of the New run sheet: every field of a run file, made from the catalog.
class RunForm : public QWidget {
    Q_OBJECT
public:
    // `hosts`: aliases of possible hosts, besides this computer.
    RunForm(const spec::Catalog& catalog, const QStringList& hosts, QWidget* parent = nullptr);

    void setSpec(const spec::RunSpec& spec);
    // After setSpec() of its run. All of its space and settings are kept.
    void setSweep(const spec::SweepSpec& sweep);
    void setSweeping(bool on);
    // Sets all fields from `spec`, which differs little from them; varied fields stay varied.
    void change(const spec::RunSpec& spec);
    // The current optimizer and learning rate are not the user's choice: until changed, they follow the model. After
    // setSpec().
    void offerOptimizer();
    // The present settings are those of a preset: what it sets is not shown for that alone. After setSpec().
    void takeAsUsual();
    // Whether the rows that a first run does not need are shown as well.
    void setAllFields(bool all) { m_fold.setAll(all); }
    // Marks the titles of the fields of these paths, and unmarks all others.
    void markChanged(const QStringList& paths);
    // Trains on a file or folder instead, or trains the model in it; the other fields stay if its task allows.
    void use(const TrainingSource& source);
    // The sweeps of the workspace that a new one can use as a warm start, by name or id.
    void setEarlierSweeps(const QStringList& sweeps);

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
    State read();
    // Shows a worker's refusal of the run, as last read, at the field concerned. Returns it in the words of the form:
    // "Folder is missing; set it to …". `samples`: number of training samples by the worker's count; 0: unknown.
    QString showRefusal(const Error& error, std::int64_t samples = 0);
    // An engine sentence with the form's titles for its settings: "dataset.params.separator" becomes “Separator”, and
    // "--set data.onError=skip" becomes: set “Unreadable files” to skip.
    QString inWords(QString text) const;
    QWidget* first() const; // the field to start with
    LrField* lrField() const { return m_lr; }
    // The ends of the range of learning rates.
    void swapEnds();
    // What the summary of the form names.
    QWidget* whereField() const { return m_where->combo(); }
    QWidget* sweepField() const { return m_sweep; }
    // The first field in error; null: there is none.
    QWidget* firstFault() const;
    SlurmFields* slurmFields() const { return m_where->slurmFields(); }
    // Offers to make it a job. Once.
    void offerSlurm(const std::vector<run::SlurmPartition>& partitions);
    AdvancedForm* advanced() const { return m_advanced; }

Q_SIGNALS:
    void changed();
    void checkRequested(); // the user has repaired the refused data and wants a new check

private:
    enum Choices { Dataset, Model, Optimizer, Schedule, Loss, kChoices };
    struct ChoiceKind {
        const char* path;
        spec::Choice spec::RunSpec::* choice;
        std::vector<spec::Entry> spec::Catalog::* entries;
        bool isOfTask; // only some fit a task
    };
    static const std::array<ChoiceKind, kChoices> kChoiceTable;
    void build(const QStringList& hosts);
    void put(const spec::RunSpec& spec);
    void putLength(const spec::RunSpec& spec);
    void changeTask(int index);
    void followData();
    void putAnew(const spec::RunSpec& spec);
    void buildTask();
    // `firstParams`: the number of its parameters that a first run needs.
    void addChoice(Choices which, int firstParams, const QStringList& leaveOut = {});
    void buildBatch();
    void buildLength();
    void buildLr();
    void sweepRates(double from, double to);
    void buildPrecision();
    CountField* countField(const QString& path, const QString& title, const QList<CountField::Unit>& units);
    void readCounts(spec::RunSpec& spec, State& state);
    void readLr(State& state);
    double lrOrDefault() const; // the field's value, or the optimizer's default
    void readSweep(State& state);
    void readTrials(spec::SweepSpec& sweep, State& state);
    void refuseSweep(State& state, const std::string& path, const std::string& message, const std::string& remedy);
    void noteSweep(State& state, const std::string& path, const QString& message);
    spec::RunSpec baseOfTrials(const spec::RunSpec& spec) const;
    void showErrors(const std::vector<spec::FieldError>& errors, State& state);
    CountField* countOf(const QString& path) const;
    ParamField* paramOf(const QString& path) const;
    QString titleOf(const QString& path) const;
    QWidget* widgetOf(const QString& path) const;
    bool showAt(const QString& path, const QString& message);
    QList<FieldFix> fieldFixes(const QString& path, const Error& error, std::int64_t samples);
    QString pathFieldOf(const QString& where) const;

    spec::Catalog m_catalog;
    spec::RunSpec m_base;  // keeps fields that the form does not show
    spec::RunSpec m_shown; // as last read; the run to preview
    QVBoxLayout* m_layout;
    SegmentedControl* m_task;
    std::array<ChoiceRows*, kChoices> m_choices;
    CountField *m_batch, *m_accumulate, *m_length;
    UsualOptimizer* m_usual;
    LrField* m_lr;
    SweepFields* m_sweep;
    AxisEditors* m_axes;
    WhereFields* m_where;
    AdvancedForm* m_advanced;
    FieldFold m_fold;
};

} // namespace trainyard::ui
