// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/new_run/program_look.h"

#include "engine/program/command/interpreter.h"
#include "ui/models/desktop/background.h"

#include <QDateTime>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

namespace trainyard::ui {

namespace {

constexpr int kPauseMs = 250, kMostMs = 10'000;
constexpr qsizetype kMostMissing = 8;

// compile() and find_spec() of a name without dots run nothing of the script and of what it imports. Imports within
// try, if or functions may be meant to fail.
constexpr char kQuestion[] = R"PY(
import ast, importlib.util, json, os, sys
told = {"python": sys.version.split()[0]}
try:
    from importlib.metadata import version
    told["torch"] = version("torch")
except Exception:
    pass
script = sys.argv[1] if len(sys.argv) > 1 else ""
if script:
    try:
        with open(script, "rb") as file:
            text = file.read(1 << 24)
        compile(text, script, "exec", dont_inherit=True)
        sys.path[0] = os.path.dirname(script)
        missing = []
        for line in ast.parse(text).body:
            names = []
            if isinstance(line, ast.Import):
                names = [each.name for each in line.names]
            elif isinstance(line, ast.ImportFrom) and not line.level and line.module:
                names = [line.module]
            for name in names:
                name = name.split(".")[0]
                try:
                    found = name == "trainyard" or importlib.util.find_spec(name) is not None
                except Exception:
                    found = True
                if not found and name not in missing:
                    missing.append(name)
        told["missing"] = missing[:8]
    except SyntaxError as error:
        told["syntax"] = [error.lineno or 0, str(error.msg)]
    except Exception as error:
        told["syntax"] = [0, str(error)]
print(json.dumps(told))
)PY";

ProgramLook lookWith(const QString& interpreter, const QString& script, const QString& folder) {
    const auto found =
        program::findInterpreter(interpreter.toStdString(), folder.toStdString(), program::processVariables());
    ProgramLook look;
    if (!found) {
        look.why = QString::fromStdString(found.error().text());
        return look;
    }
    const QString file = QString::fromStdString(found->file.string());
    QProcess process;
    process.setWorkingDirectory(QStringLiteral("/")); // where nothing of the user's is imported instead of a library
    QStringList words{QStringLiteral("-B"), QStringLiteral("-c"), QLatin1String(kQuestion)};
    if (!script.isEmpty()) words << script;
    process.start(file, words);
    process.closeWriteChannel();
    if (process.waitForFinished(kMostMs) && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0)
        look = readLook(process.readAllStandardOutput());
    if (process.state() != QProcess::NotRunning) {
        process.kill();
        process.waitForFinished(1000);
    }
    look.interpreter = file;
    if (look.python.isEmpty()) look.why = ProgramLooker::tr("%1 does not answer as a Python does").arg(file);
    return look;
}

} // namespace

ProgramLook readLook(const QByteArray& answer) {
    const QJsonObject told = QJsonDocument::fromJson(answer).object();
    ProgramLook look;
    look.python = told.value(QLatin1String("python")).toString();
    look.torch = told.value(QLatin1String("torch")).toString().section(QLatin1Char('+'), 0, 0); // "2.1.0+cu121"
    const QJsonArray wrong = told.value(QLatin1String("syntax")).toArray();
    if (wrong.size() == 2) {
        const int line = wrong[0].toInt();
        look.syntax =
            line > 0 ? ProgramLooker::tr("line %1: %2").arg(line).arg(wrong[1].toString()) : wrong[1].toString();
    }
    for (const auto& each : told.value(QLatin1String("missing")).toArray())
        if (look.missing.size() < kMostMissing && each.isString()) look.missing << each.toString();
    return look;
}

ProgramLooker::ProgramLooker(QObject* parent) : QObject(parent) {
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &ProgramLooker::start);
}

void ProgramLooker::ask(const QString& interpreter, const QString& script, const QString& folder) {
    const QDateTime written = QFileInfo(script).lastModified();
    const QString asked = QStringList{interpreter, script, folder, written.toString(Qt::ISODateWithMs)}.join(u'\n');
    if (asked == m_asked) return;
    m_asked = asked;
    m_interpreter = interpreter;
    m_script = script;
    m_folder = folder;
    m_isBusy = true;
    ++m_round;
    m_pause.start();
    Q_EMIT changed();
}

void ProgramLooker::start() {
    inBackground(
        this,
        [interpreter = m_interpreter, script = m_script, folder = m_folder] {
            return lookWith(interpreter, script, folder);
        },
        [this, round = m_round](const ProgramLook& look) {
            if (round != m_round) return;
            m_look = look;
            m_isBusy = false;
            Q_EMIT changed();
        });
}

} // namespace trainyard::ui
