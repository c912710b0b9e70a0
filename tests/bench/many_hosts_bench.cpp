// SPDX-License-Identifier: GPL-3.0-or-later
// What many hosts cost the supervisor of a run: many_hosts_bench [HOSTS] [SECONDS]. One real host of the lab
// (tests/ssh/host_lab.h) has as many names, each with a connection of its own and a rank that follows a plan instead of
// training, so what is measured is the launcher, the supervisor and the traffic between them and the ranks. Exit code
// 77: there can be no hosts here.
#include "engine/base/clock.h"
#include "tests/multiproc/lab/run_lab.h"
#include "tests/ssh/lab_programs.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>

#include <unistd.h>

using namespace trainyard;
using test::trainyardctl;

namespace {

[[noreturn]] void giveUp(const QByteArray& why) {
    std::printf("%s\n", why.constData());
    std::exit(1);
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// A field of /proc/PID/status in MB.
double megabytes(const QString& pid, const char* field) {
    for (const QByteArray& line : contentOf("/proc/" + pid + "/status").split('\n'))
        if (line.startsWith(field))
            return line.mid(qstrlen(field) + 1).simplified().split(' ').first().toDouble() / 1024;
    return 0;
}

// Seconds of processor time of a process so far.
double cpuSeconds(const QString& pid) {
    const QByteArray stat = contentOf("/proc/" + pid + "/stat");
    const auto fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
    constexpr int kUser = 11, kSystem = 12; // after the name
    return fields.size() <= kSystem
               ? 0
               : (fields[kUser].toDouble() + fields[kSystem].toDouble()) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

QString supervisor() {
    for (QDirIterator it(QStringLiteral("/proc"), QDir::Dirs); it.hasNext();) {
        const QString pid = QFileInfo(it.next()).fileName();
        const auto words = contentOf("/proc/" + pid + "/cmdline").split('\0');
        if (words.size() > 1 && words[0].endsWith("trainyardctl") && words[1] == "supervise") return pid;
    }
    return {};
}

class ManyHosts {
public:
    explicit ManyHosts(int count) : m_count(count) {
        if (const QString failure = m_lab.start(1); !failure.isEmpty()) giveUp(failure.toUtf8());
        m_lab.bootWith(1, "MaxStartups 1000");
        auto book = remote::HostBook::load();
        if (!book) giveUp(book.error().text().c_str());
        for (int n = 1; n <= count; ++n) {
            remote::HostEntry entry = m_lab.host(1);
            entry.hostName = "h1";
            entry.alias = "node" + std::to_string(n);
            if (const auto added = book->add(entry); !added) giveUp(added.error().text().c_str());
        }
        const auto tested = trainyardctl({"hosts", "test", "node1", "--accept-new-key"});
        if (tested.code != 0) giveUp(tested.said());
    }

    QString start(int steps) {
        QJsonArray hosts;
        for (int n = 1; n <= m_count; ++n) hosts << QStringLiteral("node%1").arg(n);
        const QJsonObject file{
            {"version", 1},
            {"model", QJsonObject{{"name", "scripted"}, {"params", QJsonObject{{"plan", "ms=100 perEpoch=100000"}}}}},
            {"dataset", QJsonObject{{"name", "nothing"}}},
            {"steps", steps},
            {"hosts", hosts},
            {"scaling", QJsonObject{{"workers", m_count}, {"device", "cpu"}, {"backend", "gloo"}}},
            {"checkpoint", QJsonObject{{"everyEpochs", 0}}},
        };
        const QString path = QString::fromStdString(m_lab.folder()) + "/run.json";
        QFile out(path);
        if (!out.open(QIODevice::WriteOnly) || out.write(QJsonDocument(file).toJson()) < 0) giveUp("no run file");
        out.close();
        const auto started = trainyardctl({"run", path, "--workspace", workspace(), "--detach", "--json"});
        if (started.code != 0) giveUp(started.said());
        return started.json()["run"].toString();
    }

    // What the run says of itself.
    QJsonObject look(const QString& run) const {
        return trainyardctl({"show", run, "--workspace", workspace(), "--json"}).json();
    }
    void stop(const QString& run) const {
        const auto stopped = trainyardctl({"stop", run, "--workspace", workspace()});
        if (stopped.code != 0) giveUp(stopped.said());
    }

private:
    QString workspace() const { return QString::fromStdString(m_lab.folder()) + "/workspace"; }

    const int m_count;
    test::HostLab m_lab;
};

double firstStep(const QJsonObject& run) {
    const QJsonValue seconds = run["timing"].toObject()["launch_to_first_step_s"];
    return seconds.isDouble() ? seconds.toDouble() : -1;
}

} // namespace

int main(int argc, char** argv) {
    test::enterHostLab(argc, argv);
    QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    const int hosts = arguments.size() > 1 ? std::max(1, arguments[1].toInt()) : 100;
    const int seconds = arguments.size() > 2 ? std::max(1, arguments[2].toInt()) : 10;
    qputenv("TRAINYARD_BIN", SCRIPTED_PROGRAMS);
    ManyHosts bench(hosts);
    const QString run = bench.start(1'000'000);
    const double begin = monotonicSeconds();
    double ready = -1;
    while ((ready = firstStep(bench.look(run))) < 0) {
        if (monotonicSeconds() - begin > 300) giveUp("no first step within 300 s");
        QThread::msleep(200);
    }
    const QString pid = supervisor();
    const double launchCpu = cpuSeconds(pid);
    QThread::sleep(static_cast<unsigned>(seconds));
    const double trainCpu = cpuSeconds(pid) - launchCpu;
    std::printf("%d hosts: %.2f s from the launch to the first step, %.2f s of processor time in the supervisor\n",
                hosts, ready, launchCpu);
    std::printf("while they train: %.1f %% of a core, at most %.1f MB\n", 100 * trainCpu / seconds,
                megabytes(pid, "VmHWM:"));
    const double stopping = monotonicSeconds();
    bench.stop(run);
    std::printf("stopped after %.2f s\n", monotonicSeconds() - stopping);
    return 0;
}
