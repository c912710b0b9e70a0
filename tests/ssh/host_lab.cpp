// SPDX-License-Identifier: GPL-3.0-or-later
#include "host_lab.h"

#include "remote/ssh/library/library_transport.h"

#include <QDir>
#include <QFile>
#include <QProcess>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace trainyard::test {
namespace {

constexpr const char* kStage = "TRAINYARD_HOST_LAB";

[[noreturn]] void skip(const char* reason) {
    std::printf("SKIP: %s\n", reason);
    std::fflush(stdout);
    std::_Exit(77);
}

bool canMakeNamespaces() {
    QProcess trial;
    trial.start(QStringLiteral("unshare"),
                {QStringLiteral("--net"), QStringLiteral("--mount"), QStringLiteral("--uts"), QStringLiteral("--ipc"),
                 QStringLiteral("--pid"), QStringLiteral("--fork"), QStringLiteral("--mount-proc"),
                 QStringLiteral("ip"), QStringLiteral("link"), QStringLiteral("add"), QStringLiteral("x"),
                 QStringLiteral("type"), QStringLiteral("veth")});
    return trial.waitForFinished(10000) && trial.exitStatus() == QProcess::NormalExit && trial.exitCode() == 0;
}

// The first process of the namespace collects what ends in it, so that no process of a test stays as a zombie.
[[noreturn]] void actAsInit(char** argv) {
    ::setenv(kStage, "test", 1);
    const pid_t test = ::fork();
    if (test == 0) {
        ::execv("/proc/self/exe", argv);
        std::_Exit(127);
    }
    int status = 0;
    for (pid_t ended; (ended = ::wait(&status)) != test && !(ended < 0 && errno == ECHILD);) {}
    std::_Exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

} // namespace

QJsonObject pacedModel(double ms, int hidden) {
    const QString settings = QStringLiteral("ms=%1, hidden=%2").arg(ms).arg(hidden);
    return {{"name", "plugin"}, {"params", QJsonObject{{"path", TRAINYARD_PACED_MODEL}, {"settings", settings}}}};
}

void paceEndless(QJsonObject& runFile) {
    if (runFile["steps"].toInt() >= 1'000'000) runFile["model"] = pacedModel(12);
}

void enterHostLab(int argc, char** argv) {
    const std::string stage = ::getenv(kStage) != nullptr ? ::getenv(kStage) : "";
    if (stage == "test") return;
    if (stage == "init") actAsInit(argv);
    if (::geteuid() != 0) skip("real SSH hosts need root for their network namespaces");
    for (const char* program : {"/usr/sbin/sshd", "/usr/bin/ssh-keygen", "/usr/bin/unshare", "/usr/bin/nsenter"})
        if (::access(program, X_OK) != 0) skip("real SSH hosts need openssh-server and util-linux");
    if (!canMakeNamespaces()) skip("network namespaces are not allowed here");
    ::setenv(kStage, "init", 1);
    // On a loaded computer Qt's watchdog misses that one test function ends and the next begins, and ends both after
    // five minutes. ctest limits the whole.
    ::setenv("QTEST_FUNCTION_TIMEOUT", "3600000", 0);
    std::vector<const char*> command{"unshare", "--net",  "--mount",      "--uts",       "--ipc",
                                     "--pid",   "--fork", "--kill-child", "--mount-proc"};
    const QByteArray self = QFile::symLinkTarget(QStringLiteral("/proc/self/exe")).toLocal8Bit();
    command.push_back(self.constData());
    for (int i = 1; i < argc; ++i) command.push_back(argv[i]);
    command.push_back(nullptr);
    ::execvp("unshare", const_cast<char**>(command.data()));
    skip("unshare cannot be run");
}

QString HostLab::start(int hosts) {
    QProcess up;
    up.setProcessChannelMode(QProcess::MergedChannels);
    // The script's hosts inherit its output and keep it open: a file, so that no read waits for its end.
    up.setStandardOutputFile(m_folder.filePath(QStringLiteral("up.log")));
    up.start(QStringLiteral("sh"), {QStringLiteral(TRAINYARD_HOST_LAB_SCRIPT), QStringLiteral("up"), m_folder.path(),
                                    QString::number(hosts)});
    if (!up.waitForFinished(30000) || up.exitCode() != 0) {
        QFile log(m_folder.filePath(QStringLiteral("up.log")));
        return QStringLiteral("the hosts did not start: ") +
               (log.open(QIODevice::ReadOnly) ? QString::fromLocal8Bit(log.readAll()) : QString());
    }
    QDir(m_folder.path()).mkpath(QStringLiteral("home/.ssh"));
    ::setenv("HOME", (folder() + "/home").c_str(), 1);
    ::setenv("XDG_CONFIG_HOME", (folder() + "/home/.config").c_str(), 1);
    ::unsetenv("SSH_AUTH_SOCK");

    QProcess agent;
    const QString socket = m_folder.filePath(QStringLiteral("agent.socket"));
    agent.setStandardOutputFile(QProcess::nullDevice());
    agent.setProgram(QStringLiteral("ssh-agent"));
    agent.setArguments({QStringLiteral("-D"), QStringLiteral("-a"), socket});
    if (!agent.startDetached(&m_agent)) return QStringLiteral("ssh-agent does not start");
    for (int i = 0; i < 200 && !QFile::exists(socket); ++i) ::usleep(10000);
    ::setenv("SSH_AUTH_SOCK", socket.toLocal8Bit().constData(), 1);
    const auto added = [&] {
        return QProcess::execute(QStringLiteral("ssh-add"),
                                 {QStringLiteral("-q"), QString::fromStdString(key("agent"))}) == 0;
    };
    bool isAdded = added(); // the socket is there before anybody listens
    for (int i = 0; i < 20 && !isAdded; ++i) {
        ::usleep(100'000);
        isAdded = added();
    }
    if (!isAdded) return QStringLiteral("ssh-add fails");
    ::unsetenv("SSH_AUTH_SOCK");
    return {};
}

HostLab::~HostLab() {
    if (m_agent > 0) ::kill(static_cast<pid_t>(m_agent), SIGKILL); // its socket goes with the folder
    for (int i = 0; i < 100 && ::kill(static_cast<pid_t>(m_agent), 0) == 0; ++i) ::usleep(10000);
    QFile::remove(m_folder.filePath(QStringLiteral("agent.socket")));
}

remote::HostEntry HostLab::host(int n, const std::string& keyName) const {
    remote::HostEntry entry;
    entry.alias = "h" + std::to_string(n);
    entry.user = "root";
    entry.identityFile = key(keyName);
    return entry;
}

remote::ConnectOptions HostLab::options() const {
    remote::ConnectOptions options;
    options.knownHosts = folder() + "/accepted_hosts";
    options.askHostKey = [](const remote::HostKeyQuestion&) { return true; };
    return options;
}

std::shared_ptr<remote::SshSession> HostLab::connect(int n) {
    auto session = remote::connectOverLibrary(host(n), options());
    if (!session) throw std::runtime_error(session.error().text());
    return std::move(session).value();
}

void HostLab::changeIdentity(int n) {
    QFile file(m_folder.filePath(QStringLiteral("h%1/identity").arg(n)));
    if (!file.open(QIODevice::WriteOnly) || file.write("new") != 3) throw std::runtime_error("identity not written");
}

void HostLab::bootWith(int n, const std::string& sshdConfig) {
    QFile file(m_folder.filePath(QStringLiteral("h%1/sshd_config").arg(n)));
    if (!file.open(QIODevice::WriteOnly) || file.write((sshdConfig + "\n").c_str()) <= 0)
        throw std::runtime_error("sshd_config not written");
    file.close();
    powerOff(n);
    boot(n);
}

bool HostLab::bootWithout(int n, const std::vector<std::string>& libraries) {
    QFile file(m_folder.filePath(QStringLiteral("h%1/without").arg(n)));
    if (!file.open(QIODevice::WriteOnly)) throw std::runtime_error("the list of libraries cannot be written");
    for (const auto& pattern : libraries) file.write((pattern + "\n").c_str());
    file.close();
    powerOff(n);
    try {
        boot(n);
        return true;
    } catch (const std::runtime_error&) {
        file.remove();
        boot(n);
        return false;
    }
}

void HostLab::command(const char* what, int n, const QString& more) const {
    QProcess run;
    run.setStandardOutputFile(QProcess::nullDevice());
    run.setStandardErrorFile(m_folder.filePath(QStringLiteral("command.log")));
    QStringList words{QStringLiteral(TRAINYARD_HOST_LAB_SCRIPT), QString::fromLatin1(what), m_folder.path(),
                      QString::number(n)};
    if (!more.isEmpty()) words << more;
    run.start(QStringLiteral("sh"), words);
    if (!run.waitForFinished(20000) || run.exitCode() != 0)
        throw std::runtime_error(std::string("host_lab.sh ") + what + " failed");
}

} // namespace trainyard::test
