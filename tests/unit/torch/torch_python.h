// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a script of tests/unit/python with a Python that has torch: the independent reader and the reference.
#pragma once

#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QString>
#include <QStringList>

namespace trainyard::test {

// The Python of a test program, which imports torch once.
class TorchPython {
public:
    static TorchPython& instance() {
        static auto* python = new TorchPython; // its input is closed when the test ends, and with it its life
        return *python;
    }
    const QString& program() const { return m_program; } // empty: there is none
    // The next line that it prints; empty when there is none.
    QByteArray line() {
        while (!m_process.canReadLine())
            if (!m_process.waitForReadyRead(60000)) return {};
        return m_process.readLine().trimmed();
    }
    QProcess& process() { return m_process; }

private:
    TorchPython() {
        for (const QString& candidate : {QStringLiteral("/usr/bin/python3"), QStringLiteral("python3")}) {
            m_process.start(candidate, {QStringLiteral(TRAINYARD_SOURCE_DIR "/tests/unit/python/with_torch.py")});
            if (line() == "ready") {
                m_program = candidate;
                return;
            }
            m_process.kill();
            m_process.waitForFinished();
        }
    }

    QProcess m_process;
    QString m_program;
};

// The interpreter, or empty where none has torch (the reason is for QSKIP).
inline const QString& pythonWithTorch() { return TorchPython::instance().program(); }

struct ScriptResult {
    int code = -1;
    QString out, err;
};

// As `python3 FILE ARGUMENT...` does.
inline ScriptResult runPython(const QStringList& words) {
    auto& python = TorchPython::instance();
    python.process().write(QJsonDocument(QJsonArray::fromStringList(words)).toJson(QJsonDocument::Compact) + '\n');
    const auto answer = QJsonDocument::fromJson(python.line()).array();
    if (answer.size() != 3) return {-1, {}, QStringLiteral("the script did not end")};
    return {answer[0].toInt(), answer[1].toString(), answer[2].toString()};
}

inline ScriptResult runScript(const QString& script, const QStringList& arguments) {
    return runPython(QStringList{QStringLiteral(TRAINYARD_SOURCE_DIR "/tests/unit/python/") + script} + arguments);
}

} // namespace trainyard::test
