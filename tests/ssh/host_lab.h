// SPDX-License-Identifier: GPL-3.0-or-later
// Real SSH hosts h1, h2 and so on, on one computer (host_lab.sh), and faults for them. The test program runs inside the
// controller's network namespace, which has no way out, and inside a process namespace: when the test ends in any
// way, the kernel ends the hosts with it.
#pragma once

#include "remote/ssh/ssh_session.h"

#include <QJsonObject>
#include <QString>
#include <QTemporaryDir>

namespace trainyard::test {

// Call first in main(): enters the namespaces by running the program again. Returns there, or never; ends the program
// with 77 (skipped) and the reason where namespaces are not allowed.
void enterHostLab(int argc, char** argv);

// The model of a run file whose steps sleep (paced_model.cpp). Runs that a test stops when it has seen enough get it:
// they leave the computer to what is waited for, and have taken fewer steps by then.
QJsonObject pacedModel(double ms = 5, int hidden = 64);
void paceEndless(QJsonObject& runFile);

class HostLab {
public:
    // Starts hosts h1, h2 and so on; an error text, or empty. HOME, XDG_CONFIG_HOME and SSH_AUTH_SOCK are set for this
    // process.
    QString start(int hosts = 3);
    ~HostLab();

    std::string folder() const { return m_folder.path().toStdString(); }
    std::string key(const std::string& name) const { return folder() + "/keys/" + name; }
    // Entry of host n that signs in as root with the key of that name.
    remote::HostEntry host(int n, const std::string& keyName = "ed25519") const;
    // Options that accept every host key and keep them in a file of this lab.
    remote::ConnectOptions options() const;
    // A session with host n; fails the test by throwing when there is none.
    std::shared_ptr<remote::SshSession> connect(int n);

    void cut(int n) { command("cut", n); }
    void join(int n) { command("join", n); }
    void slow(int n, int mbit = 20) { command("slow", n, QString::number(mbit)); } // a second, towards the host
    void fast(int n) { command("fast", n); }
    void part(int n) { command("part", n); } // it and this computer; the hosts reach each other. With nftables
    void meet(int n) { command("meet", n); }
    // The link of this computer: the hosts reach each other.
    void cutController() { command("cut-controller", 0); }
    void joinController() { command("join-controller", 0); }
    void slowController() { command("slow-controller", 0); } // 2 mbit a second from the hosts
    void fastController() { command("fast-controller", 0); }
    void powerOff(int n) { command("off", n); }  // nobody is told
    void shutDown(int n) { command("down", n); } // whoever has a connection is told that it has ended
    void boot(int n) { command("boot", n); }
    // Host n shows another host key after its next boot.
    void changeIdentity(int n);

    // Host n is booted without the system's libraries of these names, shell patterns. False: overlays are not allowed.
    bool bootWithout(int n, const std::vector<std::string>& libraries);
    // Host n is booted with these lines before those of its sshd_config.
    void bootWith(int n, const std::string& sshdConfig);

private:
    void command(const char* what, int n, const QString& more = {}) const;
    QTemporaryDir m_folder;
    qint64 m_agent = 0;
};

} // namespace trainyard::test
