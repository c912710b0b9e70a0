// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ssh/lab_runs.h"

#include "remote/ssh/library/library_transport.h"

#include <algorithm>
#include <cstdlib>

namespace trainyard::test {

QByteArray LabRuns::add(const QString& host, const char* key) const {
    const Ended added =
        trainyardctl({"hosts", "add", "root@" + host, "--identity", QString::fromStdString(m_lab.key(key))});
    if (added.code != 0) return added.said();
    const Ended tested = trainyardctl({"hosts", "test", host, "--accept-new-key"});
    return tested.code == 0 ? QByteArray() : tested.said();
}

QString LabRuns::file(const QString& name, const QJsonArray& hosts, int steps, const QJsonObject& changes) const {
    QJsonObject file{
        {"version", 1},
        {"name", name},
        {"model", QJsonObject{{"name", "mlp"}, {"params", QJsonObject{{"hidden", QJsonArray{64}}}}}},
        {"dataset", "blobs"},
        {"batch", QJsonObject{{"global", 16}}},
        {"steps", steps},
        {"hosts", hosts},
        {"scaling",
         QJsonObject{{"workers", std::max<qsizetype>(1, hosts.size())}, {"device", "cpu"}, {"threadsPerWorker", 1}}},
    };
    for (auto change = changes.begin(); change != changes.end(); ++change) file[change.key()] = change.value();
    if (!changes.contains("model")) paceEndless(file);
    QFile out(folder() + "/" + name + ".json");
    const QByteArray text = QJsonDocument(file).toJson();
    return out.open(QIODevice::WriteOnly) && out.write(text) == text.size() ? out.fileName() : QString();
}

Ended LabRuns::command(const QStringList& words, int seconds) const {
    Ended ended = trainyardctl(words + QStringList{"--workspace", workspace(), "--json"}, seconds);
    if (ended.code != 0 && words.contains("--detach")) // or the test would only see that nothing comes
        qWarning("%s: exit code %d: %s", qPrintable(words.join(' ')), ended.code, ended.said().constData());
    return ended;
}

QStringList LabRuns::hostsOf(const QString& run) const {
    QStringList hosts;
    for (const auto& worker : show(run)["workers"].toArray()) hosts << worker.toObject()["host"].toString();
    return hosts;
}

bool LabRuns::reaches(const QString& run, int step, int seconds) const {
    return waitFor([&] { return steps(run) >= step; }, seconds * 1000);
}

QByteArray LabRuns::log(const QString& run) const {
    return trainyardctl({"logs", run, "--workspace", workspace()}).out;
}

QList<QByteArray> LabRuns::curve(const QString& run, const char* series) const {
    const Ended csv = trainyardctl({"metrics", run, "--workspace", workspace(), "--csv", "--series", series});
    QList<QByteArray> points;
    for (const auto& line : csv.out.split('\n').mid(1)) // series,step,epoch,time_s,value
        if (const auto cells = line.split(','); cells.size() == 5) points << cells[1] + " " + cells[4];
    return points;
}

int LabRuns::onHost(int n, const char* script) const {
    const auto session = remote::connectOverLibrary(m_lab.host(n), m_lab.options());
    if (!session) return -1;
    const auto said = (*session)->script(script);
    return said.ok() ? std::atoi(said->out.c_str()) : -1;
}

bool LabRuns::nothingIsLeft(int seconds) const {
    return waitFor([&] { return workersOn(1) == 0 && workersOn(2) == 0; }, seconds * 1000);
}

void LabRuns::killAll() const {
    const QStringList over{"finished", "failed", "stopped", "interrupted"};
    for (const auto& run : command({"runs"}).list())
        if (!over.contains(run.toObject()["status"].toString()))
            (void)command({"kill", run.toObject()["run"].toString()});
}

} // namespace trainyard::test
