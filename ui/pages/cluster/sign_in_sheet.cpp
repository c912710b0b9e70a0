// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/cluster/sign_in_sheet.h"

#include "remote/hosts/connect.h"
#include "remote/launch/ssh_launcher.h"
#include "ui/models/desktop/background.h"
#include "ui/widgets/layout.h"

#include <QCoreApplication>
#include <QLineEdit>
#include <QPointer>

#include <chrono>
#include <future>

namespace trainyard::ui {

SignInSheet::SignInSheet(QWidget* window, const remote::SecretQuestion& question, Done done)
    : Sheet(window, QSize(420, 260)), m_done(std::move(done)), m_secret(new QLineEdit) {
    setFitsContent();
    panel()->setAccessibleName(tr("Sign in to %1").arg(QString::fromStdString(question.host)));
    auto* content = new QWidget;
    auto* rows = column(content, 8);
    setMargins(rows, 16, 16, 16, 16);
    rows->addWidget(new Label(tr("Sign in to %1").arg(QString::fromStdString(question.host)), TextRole::Heading));
    const QString words = QString::fromStdString(question.text);
    auto* asked = new Label(words, TextRole::Secondary);
    asked->setWordWrap(true);
    asked->setBuddy(m_secret);
    m_secret->setEchoMode(QLineEdit::Password);
    m_secret->setAccessibleName(words);
    auto* kept = new Label(
        tr("Only ssh receives it, and it is stored nowhere. The connection stays open for the runs you start."),
        TextRole::SmallSecondary);
    kept->setWordWrap(true);
    rows->addWidget(asked);
    rows->addWidget(m_secret);
    rows->addWidget(kept);
    auto* cancel = button(tr("Cancel"));
    auto* go = button(tr("Sign in"), {}, "primary");
    auto* buttons = row(nullptr, 8);
    buttons->addStretch(1);
    buttons->addWidget(cancel);
    buttons->addWidget(go);
    rows->addSpacing(Theme::current().px(8));
    rows->addLayout(buttons);
    body()->addWidget(content);
    const auto answer = [this] {
        finish(m_secret->text().toStdString());
        close();
    };
    connect(go, &QPushButton::clicked, this, answer);
    connect(cancel, &QPushButton::clicked, this, &Sheet::close);
    connect(this, &Sheet::closed, this, [this] {
        finish(std::nullopt);
        deleteLater();
    });
    setFirst(m_secret);
}

SignInSheet::~SignInSheet() { finish(std::nullopt); }

void SignInSheet::finish(std::optional<std::string> secret) {
    m_secret->setText({}); // with its history
    if (const Done done = std::exchange(m_done, {})) done(std::move(secret));
}

remote::SecretAsker askedIn(QWidget* window) {
    return [window = QPointer<QWidget>(window)](const remote::SecretQuestion& question) {
        // Dropping the promise answers, too: the future throws.
        auto promise = std::make_shared<std::promise<std::optional<std::string>>>();
        auto answer = promise->get_future();
        QMetaObject::invokeMethod(qApp, [window, question, promise = std::move(promise)] {
            if (!window) return promise->set_value(std::nullopt);
            auto* sheet = new SignInSheet(window, question, [promise](std::optional<std::string> typed) {
                promise->set_value(std::move(typed));
            });
            sheet->open();
        });
        try {
            // An event that is posted while the program ends is dropped only after the program has waited for this
            // thread.
            while (answer.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready)
                if (QCoreApplication::closingDown()) return std::optional<std::string>();
            return answer.get();
        } catch (const std::future_error&) { return std::optional<std::string>(); }
    };
}

Result<void> signInAsking(const std::vector<std::string>& hosts, const remote::SecretAsker& ask) {
    if (hosts.empty()) return {}; // a damaged host book does not matter here
    TY_ASSIGN(const auto book, remote::HostBook::load());
    std::vector<std::string> known;
    for (const auto& host : hosts)
        if (book.find(host) != nullptr) known.push_back(host);
    if (known.empty()) return {};
    remote::ConnectOptions options;
    options.askSecret = ask;
    return remote::signInToHosts(book, known, options);
}

void signInBackground(QWidget* context, const remote::HostEntry& host, std::function<void(Result<void>)> done) {
    inBackground(
        context,
        [host, ask = askedIn(context->window())] {
            remote::ConnectOptions options;
            options.askSecret = ask;
            return remote::signInForSupervisor(host, options);
        },
        std::move(done));
}

bool asksToSignIn(const remote::HostCheck& check) { return !check.ok && check.code == ErrorCode::SignInRefused; }

} // namespace trainyard::ui
