// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run_spec.h"

#include <QPointer>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>

class QPushButton;
class QTemporaryFile;

namespace trainyard::ui {

class Label;
class Sparkline;

// Proposes a learning rate: trainyardctl lr-find trains a copy of the run for some steps with a rising rate. The course
// of the loss stands beside the button, and what was found in words.
class LrFinder : public QWidget {
    Q_OBJECT
public:
    // `run`: the run as it stands when the button is pressed; empty when something in it is wrong.
    explicit LrFinder(std::function<std::optional<spec::RunSpec>()> run, QWidget* parent = nullptr);
    bool busy() const { return m_busy; }

Q_SIGNALS:
    void found(double lr);

private:
    void start();
    void ended(int code, const QByteArray& out, const QByteArray& err);
    void say(const QString& words);

    std::function<std::optional<spec::RunSpec>()> m_run;
    QPushButton* m_button;
    Sparkline* m_curve;
    Label* m_note;
    bool m_busy = false;
};

} // namespace trainyard::ui
