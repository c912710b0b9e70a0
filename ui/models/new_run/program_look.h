// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>

namespace trainyard::ui {

// What can be known of a program of Python before it runs.
struct ProgramLook {
    QString interpreter;   // its file
    QString python, torch; // their versions; torch is empty where it is not installed
    QString syntax;        // "line 12: invalid syntax"; empty: the script has no such error
    QStringList missing;   // packages that it imports first of all and that this Python does not find
    QString why;           // there is no such interpreter, or it did not answer
    bool operator==(const ProgramLook&) const = default;
};
// The answer of the interpreter's own words; nothing in it is trusted to be there.
ProgramLook readLook(const QByteArray& answer);

// Asks the interpreter of a program for its version, and whether it can read the script. The script is parsed, and
// nothing of it is run or imported. In the background; a new question drops the old one's answer. GUI thread.
class ProgramLooker : public QObject {
    Q_OBJECT
public:
    explicit ProgramLooker(QObject* parent = nullptr);

    // `interpreter`: as in the run file; empty: the one that a run would find. `script`: a file; empty: none is parsed.
    // `folder`: from which the interpreter is looked for. Asks again about a script that has changed.
    void ask(const QString& interpreter, const QString& script, const QString& folder);
    bool isBusy() const { return m_isBusy; }
    const ProgramLook& look() const { return m_look; }

Q_SIGNALS:
    void changed();

private:
    void start();

    QString m_interpreter, m_script, m_folder, m_asked;
    QTimer m_pause;
    ProgramLook m_look;
    bool m_isBusy = false;
    int m_round = 0;
};

} // namespace trainyard::ui
