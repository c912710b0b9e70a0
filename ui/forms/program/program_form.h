// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forms/fields/field_fold.h"
#include "ui/forms/program/argument_pane.h"
#include "ui/forms/settings_form.h"
#include "ui/forms/sweep/axis_editors.h"
#include "ui/forms/sweep/sweep_fields.h"
#include "ui/widgets/inputs/unit_field.h"

#include <QFileSystemWatcher>
#include <QPointer>

class QVBoxLayout;

namespace trainyard::ui {

class AdvancedForm;
class CommandEdit;
class ParamField;
class PathField;
class ProgramFields;
class SegmentedControl;
class WhereFields;

// The New run sheet's form for a program: script, interpreter, folder, where it runs, and its command line. The
// arguments have a pane of their own, which stands beside it. Nothing that means nothing to a program is here.
class ProgramForm : public SettingsForm {
    Q_OBJECT
public:
    // `hosts`: aliases of possible hosts, besides this computer. The pane belongs to the form until it gets a parent.
    explicit ProgramForm(const QStringList& hosts, QWidget* parent = nullptr);
    ~ProgramForm() override;

    // Names of the series that earlier runs of a program have reported, to choose from; the newest run's.
    using SeriesOf = std::function<QStringList(const spec::Program&)>;
    void setSeriesOf(SeriesOf seriesOf);
    // Runs this script instead; the other fields stay.
    void useScript(const QString& path);
    ArgumentPane* arguments() const { return m_arguments; }
    CommandEdit* command() const { return m_command; }
    std::vector<std::string> words() const; // that the script gets, as far as they are known before the start
    QString scriptPath() const;             // of a module: its file, if it is found; empty: none

    State read() override;
    void setSpec(const spec::RunSpec& spec) override;
    void setSweep(const spec::SweepSpec& sweep) override;
    void change(const spec::RunSpec& spec) override;
    void setAllFields(bool all) override { m_fold.setAll(all); }
    void markChanged(const QStringList& paths) override;
    void setEarlierSweeps(const QStringList& sweeps) override { m_sweep->setEarlierSweeps(sweeps); }
    void offerSlurm(const std::vector<run::SlurmPartition>& partitions) override;
    QWidget* first() const override;
    QWidget* taskField() const override;
    QWidget* firstFault() const override;
    QWidget* whereField() const override;
    QWidget* sweepField() const override { return m_sweep; }

Q_SIGNALS:
    void startRequested(); // Enter was pressed in a field

private:
    // What is known of the program.
    struct Known {
        QString script, interpreter;  // that are shown; the interpreter where none is named
        std::vector<std::string> own; // by which a program that is no script of Python is run
        SeriesOf seriesOf;
        QStringList series;
    };
    void build(const QStringList& hosts);
    void buildProgram();
    void buildWhere(const QStringList& hosts);
    void listen();
    void put(const spec::RunSpec& spec);
    void showScript();
    void showCommand();
    void showFound();
    void offerSeries(const spec::Program& program);
    void followScript();
    bool isCommand() const { return !m_words->parentWidget()->isHidden(); } // no script of Python
    spec::Program programOf(State& state);
    void readProgram(State& state);
    void readSweep(State& state);
    void typeAxes(std::vector<spec::Axis>& space) const;
    void showErrors(const std::vector<spec::FieldError>& errors, State& state);
    void refuse(State& state, const QString& path, const QString& message);
    bool showAt(const QString& path, const QString& message);
    QString titleOf(const QString& path) const;

    spec::RunSpec m_base; // keeps fields that the form does not show
    QVBoxLayout* m_layout;
    SegmentedControl* m_task;
    PathField *m_script, *m_folder;
    UnitField *m_interpreter, *m_words; // of a command
    QPointer<ArgumentPane> m_arguments;
    CommandEdit* m_command;
    ProgramFields* m_fields;
    AdvancedForm* m_advanced;
    WhereFields* m_where;
    SweepFields* m_sweep;
    AxisEditors* m_axes;
    FieldFold m_fold;
    QFileSystemWatcher m_watch; // the script may be edited beside the window
    Known m_known;
};

} // namespace trainyard::ui
