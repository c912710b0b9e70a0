// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/hosts/host_probe.h"
#include "ui/widgets/sheets/sheet.h"

class QLineEdit;

namespace trainyard::ui {

// Asks for a host's password, passphrase or code. Hands the answer on and stores it nowhere.
class SignInSheet : public Sheet {
    Q_OBJECT
public:
    using Done = std::function<void(std::optional<std::string>)>;
    // Calls `done` once: with the typed text, or with nothing once the sheet is closed or gone.
    SignInSheet(QWidget* window, const remote::SecretQuestion& question, Done done);
    ~SignInSheet() override;

private:
    void finish(std::optional<std::string> secret);

    Done m_done;
    QLineEdit* m_secret;
};

// Shows questions as sheets of the window. Call the result on any thread except the window's, because the window's
// thread answers.
remote::SecretAsker askedIn(QWidget* window);

// Signs in to those of the hosts that are in the host book, so that a supervisor can connect, which has nobody to
// answer its questions. Blocks; not on the window's thread. The errors are those of remote::signInToHosts().
Result<void> signInAsking(const std::vector<std::string>& hosts, const remote::SecretAsker& ask);

// Signs in to one host for the next connections, with questions in the window of `context`. Calls `done` on the
// window's thread, unless `context` is gone. GUI thread.
void signInBackground(QWidget* context, const remote::HostEntry& host, std::function<void(Result<void>)> done);

// Whether a check may have failed for want of a password or passphrase.
bool asksToSignIn(const remote::HostCheck& check);

} // namespace trainyard::ui
