// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forms/program/program_form.h"
#include "ui/forms/run_form.h"
#include "ui/models/workbench.h"
#include "ui/new_run/data_watch.h"
#include "ui/new_run/preview_question.h"
#include "ui/widgets/sheets/sheet.h"

class QPushButton;
class QScrollArea;

namespace trainyard::ui {

class ChangeList;
class CheckpointChoice;
class DraftOffer;
class FormStrip;
class Label;
class NewRunFooter;
class NewRunHeader;
class PreviewPane;
class ProgramPane;
struct Preset;
struct RunDraft;

// One sheet to set up a run or a sweep: form at the left, live preview at the right. It connects form, worker and
// preview, and starts the run.
class NewRunSheet : public Sheet {
    Q_OBJECT
public:
    NewRunSheet(Workbench& bench, QWidget* window);

    // Fills the sheet: from a run or sweep file's text, or with the defaults; `sweep` turns the switch on.
    void start(const QString& json, bool sweep);
    // Trains on a file or folder, trains the model in it, or runs the program; `source` is no RunFile. Also while the
    // sheet is open.
    void use(const TrainingSource& source);
    // The settings of another run, to start from one of its checkpoints (at `step`; -1: the best) or from scratch.
    // `isWhole`: after a quick head, to train all weights (run::trainedOn()).
    void startFork(const RunItemPtr& source, const std::vector<store::CheckpointRow>& checkpoints, qint64 step,
                   bool isWhole = false);
    RunForm* form() const { return m_forms.run; }
    ProgramForm* programForm() const { return m_forms.program; } // null: no program was asked for
    bool showsProgram() const { return m_forms.shown != nullptr && m_forms.shown == m_forms.program; }
    QPushButton* copyButton() const;
    QPushButton* saveButton() const;
    QPushButton* queueButton() const;
    QPushButton* startButton() const;
    ChangeList* changes() const { return m_changes; }
    FormStrip* strip() const { return m_strip; }
    QString reason() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    using Length = std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>>; // epochs, steps
    // The initial content of the sheet.
    struct Beginning {
        QString file;                         // text of a run or sweep file; empty: the defaults
        bool sweep = false;                   // whether the switch is on
        std::optional<TrainingSource> source; // until the form exists
        QString origin;                       // the run that this forks; empty: none
        std::string task;                     // chosen before the form exists; empty: the first
        CheckpointChoice* from = nullptr;     // for a fork
        Length length{};                      // for a fork: the length set at its start
        bool isWhole = false;                 // for a fork of a quick head: all weights are trained
    };

    // The forms, each made when it is needed.
    struct Forms {
        RunForm* run = nullptr; // needs the catalog
        ProgramForm* program = nullptr;
        SettingsForm* shown = nullptr;
    };
    // The parsed text of a run or sweep file.
    struct ReadFile {
        spec::RunSpec run;
        std::optional<spec::SweepSpec> sweep;
    };

    void buildColumns();
    void listen();
    void buildForm();
    void buildProgramForm();
    void adopt(SettingsForm* form);
    void show(SettingsForm* form);
    void chooseTask(const std::string& task);
    void useProgram(const QString& script);
    QStringList seriesOf(const spec::Program& program) const;
    QString programOfNewestRun() const;
    void startProgram();
    Result<ReadFile> readBeginning() const;
    void nameRun(const ReadFile& file);
    const spec::Catalog& catalog() const; // empty until it is loaded
    void fill();
    void refuse(const Error& error, const spec::RunSpec& defaults);
    void applyPreset(const Preset& preset);
    void refresh();
    void judgeName();
    Result<spec::RunSpec> forkOf(const RunItem& source) const; // a fork from the chosen start
    static Length lengthOf(const spec::RunSpec& spec) { return {spec.epochs, spec.steps}; }
    void followCheckpoint();
    void judgeLength();
    double doneShare() const;
    QString whatIsWrong();
    void showActions(const QString& why);
    void showChanges();
    void resetField(const QString& path);
    void restore(const RunDraft& draft);
    void keepDraft();
    void launch();
    void launchHead();
    void enqueue();
    spec::SweepSpec namedSweep() const;             // with the sheet's name; only if a field varies
    const store::CheckpointRow* checkpoint() const; // that a fork starts from; null: from scratch
    std::string json() const;
    void copyCommand();
    void saveFile();
    bool showsOnePage() const;
    void fitColumns();
    void goTo(QWidget* field);

    Workbench& m_bench;
    PreviewQuestion m_question;
    DataWatch m_watch; // watches the refused data
    Beginning m_beginning;
    std::optional<spec::RunSpec> m_before; // the settings that changes are marked against
    RunForm::State m_state;
    bool m_launched = false;
    NewRunHeader* m_header;
    NewRunFooter* m_footer;
    QWidget *m_formSide, *m_paneSide;
    Label* m_waiting; // for the catalog
    DraftOffer* m_draft;
    ChangeList* m_changes;
    QScrollArea* m_formArea;
    FormStrip* m_strip;
    Forms m_forms;
    PreviewPane* m_pane;
    ProgramPane* m_programPane = nullptr; // as soon as there is a form of a program
};

} // namespace trainyard::ui
