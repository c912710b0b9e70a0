// SPDX-License-Identifier: GPL-3.0-or-later
// Runs on the hosts of the lab, started and looked at with the terminal program as a person does it.
#pragma once

#include "tests/ssh/lab_programs.h"

#include <QList>

namespace trainyard::test {

// All in the lab's own workspace.
class LabRuns {
public:
    explicit LabRuns(const HostLab& lab) : m_lab(lab) {}

    QString folder() const { return QString::fromStdString(m_lab.folder()); }
    QString workspace() const { return folder() + "/workspace"; }
    // Adds a host with the lab's key of that name and tests it, which accepts its host key. What was said where one of
    // them has failed; else empty.
    QByteArray add(const QString& host, const char* key = "ed25519") const;
    // Writes NAME.json: a small network and a generated dataset, a rank of one thread on each host, or one here where
    // there are none. `changes` take the place of its fields. The path; empty when it cannot be written.
    QString file(const QString& name, const QJsonArray& hosts, int steps, const QJsonObject& changes = {}) const;
    // The words with --workspace and --json.
    Ended command(const QStringList& words, int seconds = 120) const;
    QJsonObject show(const QString& run) const { return command({"show", run}).json(); }
    int steps(const QString& run) const { return show(run)["steps"].toInt(); }
    QStringList hostsOf(const QString& run) const; // of its ranks, in their order
    bool reaches(const QString& run, int step, int seconds = 60) const;
    QByteArray log(const QString& run) const;
    // "step value" of each point, all digits.
    QList<QByteArray> curve(const QString& run, const char* series = "train/loss") const;
    // The first number that it prints on host n, to which a connection of its own is made; -1: it cannot be asked.
    int onHost(int n, const char* script) const;
    int workersOn(int n) const { return onHost(n, "ps -eo comm= | grep -cx trainyard-worke"); } // 15 letters
    bool nothingIsLeft(int seconds = 30) const; // no worker on the first two hosts
    void killAll() const;                       // the runs that a failed test has left

private:
    const HostLab& m_lab;
};

} // namespace trainyard::test
