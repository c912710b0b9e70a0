// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/slurm/slurm_job.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "ui/forms/fields/count_field.h"
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
    // `hosts`: aliases that runs can be sent to besides this computer.
    RunForm(const spec::Catalog& catalog, const QStringList& hosts, QWidget* parent = nullptr);

    void setSpec(const spec::RunSpec& spec);
    // After setSpec() of its run. All of its space and settings are kept.
    void setSweep(const spec::SweepSpec& sweep);
    void setSweeping(bool on);
    // All fields as in `spec`, which differs little from what they are; what varies goes on to vary.
    void change(const spec::RunSpec& spec);
    // The optimizer and its learning rate, as they are now, are nobody's choice: until they are changed they follow the
    // model. After setSpec().
    void offerOptimizer();
    // Marks the names of the fields of these paths; the others are marked no longer.
    void markChanged(const QStringList& paths);
    // Trains on a file or folder instead, or trains the model in it; the other fields stay as far as its task allows.
    void use(const TrainingSource& source);
    // The sweeps of the workspace that a new one can begin from, by name or id.
    void setEarlierSweeps(const QStringList& sweeps);

    // What the form says now, judged: `errors` holds everything that is wrong, each shown at its field as well.
    struct State {
        spec::RunSpec spec;
        spec::RunSpec shown;                  // what a preview shows: the first trial of a sweep, else the run itself
        std::optional<spec::SweepSpec> sweep; // when something varies and all of it is right
        int trials = 1;                       // of the sweep: its runs
        QHash<QString, QString> titles;       // of the axes, by path
        QList<double> learningRates;          // the different learning rates of the trials
        QStringList errors;                   // "Batch: must be at least 1", in the order of the form
        bool sweeping = false;
        std::optional<run::SlurmRequest> slurm{}; // it is to be a job of Slurm, an array of a sweep
        QString home;                             // the host where the run is to live; empty: this computer
        QString lrError;                          // what is wrong with the learning rates; empty: nothing
        bool endsAreSwapped = false;              // of their range
    };
    State read();
    // What a worker refuses of the run as it was last read, at the field that it is about. Returns it in the words of
    // the form: "Folder is missing; set it to …". `samples`: of training, as the worker counted them; 0: it could not.
    QString showRefusal(const Error& error, std::int64_t samples = 0);
    // A sentence of the engine with its settings by what the form calls them: "dataset.params.separator" is
    // “Separator”, and "--set data.onError=skip" is: set “Unreadable files” to skip.
    QString inWords(QString text) const;
    QWidget* first() const; // where a person begins
    LrField* lrField() const { return m_lr; }
    // The ends of the range of learning rates.
    void swapEnds();
    SlurmFields* slurmFields() const { return m_where->slurmFields(); }
    // Offers to make it a job. Once.
    void offerSlurm(const std::vector<run::SlurmPartition>& partitions);
    AdvancedForm* advanced() const { return m_advanced; }

Q_SIGNALS:
    void changed();
    void checkRequested(); // of the data that was refused, which was mended

private:
    enum Choices { Dataset, Model, Optimizer, Schedule, Loss, kChoices };
    struct ChoiceKind {
        const char* path;
        spec::Choice spec::RunSpec::* choice;
        std::vector<spec::Entry> spec::Catalog::* entries;
        bool isOfTask; // only some serve a task
    };
    static const std::array<ChoiceKind, kChoices> kChoiceTable;
    void build(const QStringList& hosts);
    void put(const spec::RunSpec& spec);
    void putLength(const spec::RunSpec& spec);
    void changeTask(int index);
    void followData();
    void putAnew(const spec::RunSpec& spec);
    void buildTask();
    void addChoice(Choices which, const QStringList& leaveOut = {});
    void buildBatch();
    void buildLength();
    void buildLr();
    void sweepRates(double from, double to);
    void buildPrecision();
    CountField* countField(const QString& path, const QString& title, const QList<CountField::Unit>& units);
    void readCounts(spec::RunSpec& spec, State& state);
    void readLr(State& state);
    double lrOrDefault() const; // the field's, or where it has none the optimizer's default
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
    spec::RunSpec m_base;  // fields that the form does not show stay as they came
    spec::RunSpec m_shown; // as it was last read; what a preview shows of it
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
};

} // namespace trainyard::ui
