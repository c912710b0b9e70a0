// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/new_run/presets.h"
#include "ui/widgets/layout.h"

class QComboBox;
class QLineEdit;

namespace trainyard::ui {

class CheckpointChoice;
class Label;
class SegmentedControl;

// The top of the New run sheet: title, name of the run, and its start: a preset or a checkpoint.
class NewRunHeader : public Surface {
    Q_OBJECT
public:
    NewRunHeader();

    void setTitle(const QString& title);
    // Width without the space around and between its words.
    QString name() const;
    void setName(const QString& name);
    void markName(bool refused);
    // The presets whose model is in the catalog.
    void offerPresets(const spec::Catalog& catalog);
    void showFirstPreset();
    // The settings no longer match any preset.
    void showCustom();
    // A fork starts from one of these instead of a preset.
    CheckpointChoice* offerCheckpoints();
    // A program has no presets, and its arguments where others have a preview.
    void setProgram(bool on);
    // Whether settings and preview are side by side; else showsPreview() tells which one is shown.
    void setBothPages(bool both);
    bool showsPreview() const;
    void showSettings();

Q_SIGNALS:
    void nameEdited();
    void presetChosen(const trainyard::ui::Preset& preset);
    void checkpointChosen();
    void pageChosen();
    void closeRequested();

private:
    void buildChoices();
    void showChoices();

    bool m_isProgram = false, m_both = true;
    Label *m_title, *m_choiceLabel;
    QLineEdit* m_name;
    SegmentedControl* m_page;
    QComboBox* m_preset;
    CheckpointChoice* m_checkpoint;
};

} // namespace trainyard::ui
