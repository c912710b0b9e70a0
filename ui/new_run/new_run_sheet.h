// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forms/run_form.h"
#include "ui/models/preview.h"
#include "ui/models/workbench.h"
#include "ui/new_run/preview_pane.h"
#include "ui/widgets/sheet.h"

class QComboBox;
class QLineEdit;
class QScrollArea;

namespace trainyard::ui {

class Banner;
class ChangeList;
class SegmentedControl;

// One sheet to set up a run or a sweep: form at the left, live preview at the right.
class NewRunSheet : public Sheet {
    Q_OBJECT
public:
    NewRunSheet(Workbench& bench, QWidget* window);

    // Fills the sheet: from a run or sweep file's text, or with the defaults; `sweep` turns the switch on.
    void start(const QString& json, bool sweep);
    // Trains on a file or folder, or trains the model in it; `source` is no RunFile. Also while the sheet is open.
    void use(const TrainingSource& source);
    // The settings of another run, to begin with a checkpoint of it (of `step`; -1: the best) or from scratch.
    void startFork(const RunItemPtr& source, const std::vector<store::CheckpointRow>& checkpoints, qint64 step);
    RunForm* form() const { return m_form; }
    QPushButton* copyButton() const { return m_copyButton; }
    QPushButton* saveButton() const { return m_saveButton; }
    QPushButton* queueButton() const { return m_queueButton; }
    QPushButton* startButton() const { return m_startButton; }
    ChangeList* changes() const { return m_changes; }
    QString reason() const { return m_reason->text(); }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildHeader(QVBoxLayout* layout);
    void buildFooter(QVBoxLayout* layout);
    void buildForm();
    void fill();
    void refuse(const Error& error, const spec::RunSpec& defaults);
    void applyPreset(int index);
    void refresh();
    void showButtons(const QString& why);
    void labelTools();
    void launch();
    void enqueue();
    spec::SweepSpec namedSweep() const;            // with the name of the sheet; of a sheet that varies something
    const store::CheckpointRow* beginning() const; // of a fork; null: from scratch
    void noteNothingToTrain();
    void copyCommand();
    void saveFile();
    QString json() const;
    void buildDraft(QVBoxLayout* layout);
    void offerDraft();
    void restoreDraft();
    void keepDraft();
    void showChanges();
    void resetField(const QString& path);
    QString workspace() const;
    QString whatIsWrong();
    void ask();
    bool showsOnePage() const;
    void fitColumns();

    Workbench& m_bench;
    PreviewProcess m_process;
    QString m_json; // what the sheet was opened with
    bool m_sweep = false;
    QLineEdit* m_name;
    QComboBox *m_preset, *m_from;
    QString m_origin; // the run that this is a fork of
    std::vector<store::CheckpointRow> m_checkpoints;
    SegmentedControl* m_page;
    QScrollArea* m_formArea;
    RunForm* m_form = nullptr;
    PreviewPane* m_pane;
    QWidget *m_formSide, *m_paneArea, *m_draftArea;
    Banner* m_draft;
    ChangeList* m_changes;
    std::optional<spec::RunSpec> m_before; // the settings that changes are marked against
    QString m_opened;                      // the file that the sheet began with, once it is filled
    Label *m_title, *m_reason, *m_waiting, *m_presetLabel;
    QPushButton *m_copyButton, *m_saveButton, *m_queueButton, *m_startButton;
    RunForm::State m_state;
    std::optional<TrainingSource> m_source; // to begin with, until the form is there
    std::optional<Error> m_refusal;         // of the worker, for what was asked last
    QString m_asked;
    bool m_launched = false;
};

} // namespace trainyard::ui
