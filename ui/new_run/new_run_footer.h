// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/layout.h"

#include <optional>

class QPushButton;

namespace trainyard::ui {

class Label;

// The bottom of the New run sheet: the actions on the current settings, or the reason that they cannot start.
class NewRunFooter : public Surface {
    Q_OBJECT
public:
    struct State {
        bool isRight = false;      // the form has no error: the settings can be copied and saved
        QString why;               // reason that it cannot start; empty: it can
        QString all;               // all errors, one per line
        int faults = 0;            // their number
        QString unplaced;          // the first that stands at no field
        bool isSaidAbove = false;  // the preview shows the reason
        bool isSweep = false;      // it trains several runs
        std::optional<int> trials; // their number, if known before the start
        bool queues = true;        // it lives on this computer, which has a queue
        bool isStarted = false;    // nothing starts twice
    };
    NewRunFooter();

    void setState(const State& state);
    // In a narrow sheet, its tools are icons only, to leave room for the start buttons and the reason that the run
    // cannot start.
    void setNarrow(bool narrow);
    QPushButton* copyButton() const { return m_copy; }
    QPushButton* saveButton() const { return m_save; }
    QPushButton* queueButton() const { return m_queue; }
    QPushButton* startButton() const { return m_start; }
    QPushButton* faultButton() const { return m_faults; } // goes to the first field in error
    QString reason() const;                               // in full

Q_SIGNALS:
    void copyRequested();
    void saveRequested();
    void queueRequested();
    void startRequested();
    void cancelRequested();
    void faultRequested();

private:
    void buildTools();
    void labelTools();
    void showReason();

    State m_state;
    bool m_narrow = false;
    Label* m_reason;
    QPushButton *m_copy, *m_save, *m_faults, *m_queue, *m_start;
};

} // namespace trainyard::ui
