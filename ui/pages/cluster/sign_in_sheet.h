// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/hosts/host_probe.h"
#include "ui/widgets/sheets/sheet.h"

class QLineEdit;

namespace trainyard::ui {

// Asks for what a host wants to know: a password, a passphrase, a code. What is typed is handed on and kept nowhere.
class SignInSheet : public Sheet {
    Q_OBJECT
public:
    using Done = std::function<void(std::optional<std::string>)>;
    // `done` is called once: with what was typed, or with nothing once the sheet is closed or gone.
    SignInSheet(QWidget* window, const remote::SecretQuestion& question, Done done);
    ~SignInSheet() override;

private:
    void finish(std::optional<std::string> secret);

    Done m_done;
    QLineEdit* m_secret;
};

// Brings questions up as sheets of the window. Call what it returns on any thread but the window's, which answers.
remote::SecretAsker askedIn(QWidget* window);

// Signs in to those of the hosts that are in the list of hosts, so that a supervisor can, which nobody could answer.
// Blocks; not on the window's thread. The errors are those of remote::signInToHosts().
Result<void> signInAsking(const std::vector<std::string>& hosts, const remote::SecretAsker& ask);

// Signs in to one host for what connects to it next, asking in the window of `context`; `done` is called on the
// window's thread, not once `context` is gone. GUI thread.
void signInBackground(QWidget* context, const remote::HostEntry& host, std::function<void(Result<void>)> done);

// Whether a password or a passphrase may be what a check lacks.
bool asksToSignIn(const remote::HostCheck& check);

} // namespace trainyard::ui
