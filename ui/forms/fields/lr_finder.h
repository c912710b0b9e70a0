// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/run_spec.h"

#include <QPointer>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>

class QJsonObject;
class QPushButton;
class QTemporaryFile;

namespace trainyard::ui {

class Label;
class LrCurve;

// Proposes a learning rate: trainyardctl lr-find trains a copy of the run for some steps with a rising rate. Below the
// button: the loss curve, with a box of rates for a sweep, and the result in words.
class LrFinder : public QWidget {
    Q_OBJECT
public:
    // `run`: the current run when the button is pressed; empty if it has errors.
    explicit LrFinder(std::function<std::optional<spec::RunSpec>()> run, QWidget* parent = nullptr);
    bool busy() const { return m_busy; }
    LrCurve* curve() const { return m_curve; }
    // After found(): the previous learning rate, to which the user can go back.
    void offerBack(double lr);

Q_SIGNALS:
    void found(double lr);
    void takenBack(double lr);
    // The user wants the box as the range of a sweep.
    void rangeChosen(double from, double to);

private:
    void start();
    void ended(int code, const QByteArray& out, const QByteArray& err);
    void say(const QString& words);
    void showCourse(const QJsonObject& result);

    std::function<std::optional<spec::RunSpec>()> m_run;
    QPushButton *m_button, *m_back, *m_sweep;
    double m_before = 0;
    LrCurve* m_curve;
    Label* m_note;
    bool m_busy = false;
};

} // namespace trainyard::ui
