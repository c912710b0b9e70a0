// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forms/fields/count_field.h"
#include "ui/forms/fields/field_fold.h"
#include "ui/forms/fields/where_fields.h"
#include "ui/forms/settings_form.h"
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
class WeightRows;

// The left side of the New run sheet: every field of a run file, made from the catalog.
class RunForm : public SettingsForm {
    Q_OBJECT
public:
    // `hosts`: aliases of possible hosts, besides this computer.
    RunForm(const spec::Catalog& catalog, const QStringList& hosts, QWidget* parent = nullptr);

    void setSpec(const spec::RunSpec& spec) override;
    void setSweep(const spec::SweepSpec& sweep) override;
    void setSweeping(bool on);
    void change(const spec::RunSpec& spec) override;
    // The current optimizer and learning rate are not the user's choice: until changed, they follow the model. After
    // setSpec().
    void offerOptimizer();
    // The present settings are those of a preset: what it sets is not shown for that alone. After setSpec().
    void takeAsUsual();
    void setAllFields(bool all) override { m_fold.setAll(all); }
    void markChanged(const QStringList& paths) override;
    // Trains on a file or folder instead, or trains the model in it; the other fields stay if its task allows.
    void use(const TrainingSource& source);
    void setEarlierSweeps(const QStringList& sweeps) override;

    State read() override;
    // Shows a worker's refusal of the run, as last read, at the field concerned. Returns it in the words of the form:
    // "Folder is missing; set it to …". `samples`: number of training samples by the worker's count; 0: unknown.
    QString showRefusal(const Error& error, std::int64_t samples = 0);
    // An engine sentence with the form's titles for its settings: "dataset.params.separator" becomes “Separator”, and
    // "--set data.onError=skip" becomes: set “Unreadable files” to skip.
    QString inWords(QString text) const;
    QWidget* first() const override;
    QWidget* taskField() const override;
    // Trains for another task, "regression".
    void setTask(const std::string& task);
    LrField* lrField() const { return m_lr; }
    // The ends of the range of learning rates.
    void swapEnds();
    QWidget* whereField() const override { return m_where->combo(); }
    QWidget* sweepField() const override { return m_sweep; }
    QWidget* firstFault() const override;
    SlurmFields* slurmFields() const { return m_where->slurmFields(); }
    void offerSlurm(const std::vector<run::SlurmPartition>& partitions) override;
    AdvancedForm* advanced() const { return m_advanced; }
    WeightRows* weights() const { return m_weights; }

Q_SIGNALS:
    void checkRequested();     // the user has repaired the refused data and wants a new check
    void quickHeadRequested(); // run::quickHead() of the run

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
    void buildWeights();
    void takeOffer(const spec::Choice& model, int side);
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
    WeightRows* m_weights = nullptr;
    FieldFold m_fold;
};

} // namespace trainyard::ui
