// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/cluster/add_host_panel.h"

#include "remote/book/ssh_config.h"
#include "ui/forms/fields/form_grid.h"
#include "ui/models/desktop/background.h"
#include "ui/models/new_run/catalog_loader.h"
#include "ui/models/text/format.h"
#include "ui/pages/cluster/sign_in_sheet.h"
#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/widgets/inputs/unit_field.h"
#include "ui/widgets/marks/icon_mark.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QPainter>
#include <QShortcut>
#include <QSignalBlocker>

namespace trainyard::ui {

// One check: mark, name and finding, with the fix below when it failed.
class AddHostPanel::CheckRow : public Surface {
public:
    explicit CheckRow(const QString& name)
        : Surface(SurfaceColor::Panel, BottomEdge), m_mark(new IconMark(QStringLiteral("clock"), 16, &Theme::text3)),
          m_detail(new Label(QString(), TextRole::SmallSecondary)), m_name(name) {
        auto* layout = column(this, 4);
        setMargins(layout, 16, 8, 16, 9);
        auto* line = row(nullptr, 8);
        line->addWidget(m_mark);
        line->addWidget(new Label(name));
        m_detail->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        line->addWidget(m_detail, 1);
        layout->addLayout(line);
        m_fix = new QWidget;
        auto* inner = column(m_fix, 6);
        setMargins(inner, 24, 0, 0, 0);
        m_cause = new Label(QString(), TextRole::SmallError);
        m_cause->setWordWrap(true);
        m_remedy = new Label(QString(), TextRole::SmallSecondary);
        m_remedy->setWordWrap(true);
        m_remedy->setTextInteractionFlags(Qt::TextSelectableByMouse);
        auto* copy = button(AddHostPanel::tr("Copy fix"), QStringLiteral("copy"));
        QObject::connect(copy, &QPushButton::clicked, this,
                         [this] { QApplication::clipboard()->setText(m_remedy->text()); });
        inner->addWidget(m_cause);
        inner->addWidget(m_remedy);
        m_signIn = button(AddHostPanel::tr("Sign in…"), QStringLiteral("check"));
        auto* buttons = row(nullptr, 8);
        buttons->addWidget(copy);
        buttons->addWidget(m_signIn);
        buttons->addStretch();
        inner->addLayout(buttons);
        layout->addWidget(m_fix);
        clear();
    }

    // `why`: the reason that nothing is known.
    void clear(const QString& why = {}) {
        m_mark->set(QStringLiteral("clock"), &Theme::text3);
        m_detail->setText(why);
        m_detail->setToolTip({});
        setAccessibleDescription(why);
        m_fix->hide();
    }

    void set(const remote::HostCheck& check) {
        if (!check.made) return clear(AddHostPanel::tr("not checked"));
        if (check.code == ErrorCode::HostKeyUnknown) // nothing has failed: the question above shows the key
            return clear(AddHostPanel::tr("waits for its key"));
        const Theme& theme = Theme::current();
        m_mark->set(check.ok ? QStringLiteral("check") : QStringLiteral("error"),
                    check.ok ? &Theme::success : &Theme::error);
        const QString detail = QString::fromStdString(check.detail);
        const bool wide = !check.ok || detail.size() > 44;
        m_detail->setText(check.ok ? m_detail->fontMetrics().elidedText(detail, Qt::ElideRight, theme.px(280))
                                   : QString());
        m_detail->setToolTip(detail);
        m_cause->setText(detail);
        m_cause->setVisible(wide && !check.ok);
        m_remedy->setText(QString::fromStdString(check.fix));
        m_fix->setVisible(!check.ok && !check.fix.empty());
        m_signIn->setVisible(asksToSignIn(check));
        setAccessibleDescription(detail);
    }

    QPushButton* signInButton() const { return m_signIn; }
    QString name() const { return m_name; }

private:
    IconMark* m_mark;
    Label *m_detail, *m_cause, *m_remedy;
    QPushButton* m_signIn;
    QWidget* m_fix;
    QString m_name;
};

AddHostPanel::AddHostPanel(QWidget* parent) : Surface(SurfaceColor::Panel, LeftEdge, parent) {
    setFixedWidth(Theme::current().px(424));
    build();
}

void AddHostPanel::build() {
    auto* outer = column(this);
    outer->setContentsMargins(1, 0, 0, 0);
    auto* top = row(nullptr, 8);
    setMargins(top, 16, 10, 10, 10);
    top->addWidget(new Label(tr("Add host"), TextRole::Title));
    top->addStretch();
    auto* close = iconButton(QStringLiteral("close"), tr("Close"));
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    auto* escape = new QShortcut(Qt::Key_Escape, this);
    escape->setContext(Qt::WidgetWithChildrenShortcut);
    connect(escape, &QShortcut::activated, this, &QWidget::hide);
    top->addWidget(close);
    outer->addLayout(top);

    auto* content = new QWidget;
    auto* layout = column(content);
    buildFields(layout);
    buildTest(layout);
    buildQuestion(layout);
    for (const QString& name : {tr("Reach"), tr("Sign in"), tr("Version"), tr("Devices"), tr("Ports"), tr("Disk")}) {
        m_rows << new CheckRow(name);
        layout->addWidget(m_rows.last());
        connect(m_rows.last()->signInButton(), &QPushButton::clicked, this, &AddHostPanel::signIn);
    }
    layout->addStretch();
    outer->addWidget(scrolled(content, tr("Add host")), 1);

    buildFooter(outer);
    connect(m_test, &QPushButton::clicked, this, &AddHostPanel::test);
    connect(m_add, &QPushButton::clicked, this, &AddHostPanel::add);
    connect(m_alias, &QComboBox::currentTextChanged, this, &AddHostPanel::edited);
    for (auto* edit : {m_hostName, m_user, m_identity, m_address, static_cast<QLineEdit*>(m_port->edit())})
        connect(edit, &QLineEdit::textEdited, this, &AddHostPanel::edited);
    connect(m_alias->lineEdit(), &QLineEdit::returnPressed, this, &AddHostPanel::test);
    edited();
}

void AddHostPanel::buildFields(QVBoxLayout* layout) {
    const Theme& theme = Theme::current();
    auto* grid = new FormGrid;
    grid->setContentsMargins(theme.px(16), 0, theme.px(16), theme.px(12));
    m_alias = new QComboBox;
    m_alias->setEditable(true);
    m_alias->setInsertPolicy(QComboBox::NoInsert);
    m_alias->lineEdit()->setPlaceholderText(tr("from ~/.ssh/config, or user@host"));
    m_alias->setAccessibleName(tr("Name of the host"));
    m_alias->lineEdit()->setAccessibleName(m_alias->accessibleName()); // it has the focus
    m_hostName = new QLineEdit;
    m_user = new QLineEdit;
    m_port = new UnitField;
    m_identity = new QLineEdit;
    m_address = new QLineEdit;
    m_hostName->setPlaceholderText(tr("same as the alias"));
    m_user->setPlaceholderText(tr("you"));
    m_identity->setPlaceholderText(tr("agent, then id_ed25519"));
    m_address->setPlaceholderText(tr("chosen by route"));
    m_address->setToolTip(tr("Address or network interface at which the other hosts of a run reach this one"));
    m_connects = new Label(kNoValue, TextRole::SmallSecondary);
    grid->addRow(tr("SSH alias"), m_alias);
    grid->addRow(tr("Address"), m_hostName);
    grid->addShort(tr("User"), m_user);
    grid->addShort(tr("Port"), m_port);
    grid->addRow(tr("Key file"), m_identity);
    grid->addRow(tr("Interface"), m_address);
    grid->addRow(tr("Connects to"), m_connects);
    layout->addWidget(grid);
}

void AddHostPanel::buildTest(QVBoxLayout* layout) {
    auto* head = new Surface(SurfaceColor::Panel, BottomEdge);
    auto* headLine = row(head, 8);
    setMargins(headLine, 16, 8, 16, 8);
    m_test = button(tr("Test"), QStringLiteral("refresh"));
    m_count = new Label(tr("six checks"), TextRole::SmallSecondary);
    headLine->addWidget(m_test);
    headLine->addStretch();
    headLine->addWidget(m_count);
    layout->addWidget(head);
}

void AddHostPanel::buildQuestion(QVBoxLayout* layout) {
    m_question = new QWidget;
    auto* questionLayout = column(m_question, 6);
    setMargins(questionLayout, 16, 12, 16, 12);
    auto* what = new Label(tr("This host is new. Is this its key?"), TextRole::Heading);
    m_fingerprint = new Label(QString(), TextRole::Mono);
    m_fingerprint->setWordWrap(true);
    m_fingerprint->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* how = new Label(
        tr("Compare it with ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub on the host, or ask who runs it."),
        TextRole::SmallSecondary);
    how->setWordWrap(true);
    auto* trustButton = button(tr("Trust this key and continue"), QStringLiteral("check"));
    questionLayout->addWidget(what);
    questionLayout->addWidget(m_fingerprint);
    questionLayout->addWidget(how);
    questionLayout->addWidget(trustButton, 0, Qt::AlignLeft);
    m_question->hide();
    layout->addWidget(m_question);
    connect(trustButton, &QPushButton::clicked, this, &AddHostPanel::trust);
}

void AddHostPanel::buildFooter(QVBoxLayout* layout) {
    auto* footer = new Surface(SurfaceColor::Panel, TopEdge);
    auto* footLine = row(footer, 8);
    setMargins(footLine, 16, 12, 16, 12);
    m_reason = new Label(QString(), TextRole::SmallSecondary);
    m_reason->setWordWrap(true);
    auto* cancel = button(tr("Cancel"));
    m_add = button(tr("Add host"), {}, "primary");
    footLine->addWidget(m_reason, 1);
    footLine->addWidget(cancel);
    footLine->addWidget(m_add);
    layout->addWidget(footer);
    connect(cancel, &QPushButton::clicked, this, &QWidget::hide);
}

// For the next host.
void AddHostPanel::clear() {
    for (auto* each : {m_hostName, m_user, m_identity, m_address}) each->clear();
    m_port->setText({});
    m_alias->clearEditText();
    edited();
}

void AddHostPanel::open() {
    show();
    m_alias->setFocus();
    m_alias->lineEdit()->selectAll();
    inBackground(
        this, [] { return remote::sshConfigHosts(); },
        [this](Result<std::vector<remote::HostEntry>> hosts) {
            if (hosts) showAliases(*hosts);
        });
}

void AddHostPanel::openFor(const remote::HostEntry& host, const remote::HostKeyQuestion& question) {
    open();
    m_alias->setEditText(QString::fromStdString(host.alias));
    m_hostName->setText(QString::fromStdString(host.hostName));
    m_user->setText(QString::fromStdString(host.user));
    if (host.port != remote::HostEntry{}.port) m_port->setText(QString::number(host.port));
    m_identity->setText(QString::fromStdString(host.identityFile));
    m_address->setText(QString::fromStdString(host.address));
    edited();
    ask(question);
}

void AddHostPanel::showAliases(const std::vector<remote::HostEntry>& hosts) {
    const std::string before = entry().label();
    m_known = hosts;
    const QString typed = m_alias->currentText();
    const bool wasSelected = m_alias->lineEdit()->hasSelectedText(); // so that the next name replaces the last one
    const QSignalBlocker quiet(m_alias); // else this would drop a test that has started meanwhile
    m_alias->clear();
    for (const auto& host : hosts) m_alias->addItem(QString::fromStdString(host.alias));
    m_alias->setCurrentIndex(-1);
    m_alias->setEditText(typed);
    if (wasSelected) m_alias->lineEdit()->selectAll();
    if (entry().label() != before) edited();
}

remote::HostEntry AddHostPanel::entry() const {
    remote::HostEntry host;
    const std::string typed = m_alias->currentText().trimmed().toStdString();
    const auto words = remote::readHostWords(typed).valueOr({typed, {}, 0});
    for (const auto& known : m_known)
        if (known.alias == words.name) host = known;
    host.alias = words.name;
    if (!words.user.empty()) host.user = words.user;
    if (words.port > 0) host.port = words.port;
    const auto over = [](std::string& into, const QLineEdit* edit) {
        if (!edit->text().trimmed().isEmpty()) into = edit->text().trimmed().toStdString();
    };
    over(host.hostName, m_hostName);
    over(host.user, m_user);
    over(host.identityFile, m_identity);
    over(host.address, m_address);
    if (const QString port = m_port->text().trimmed(); !port.isEmpty()) host.port = port.toInt();
    return host;
}

void AddHostPanel::edited() {
    ++m_generation;
    m_passed = false;
    const remote::HostEntry host = entry();
    auto valid = remote::validateHost(host);
    if (const auto words = remote::readHostWords(m_alias->currentText().trimmed().toStdString()); !words)
        valid = words.error();
    if (m_port->text().trimmed().isEmpty()) m_port->edit()->setPlaceholderText(QString::number(host.port));
    const bool named = !host.alias.empty();
    m_connects->setText(named ? QString::fromStdString(host.label()) : kNoValue);
    m_test->setEnabled(named && valid.ok());
    m_question->hide();
    for (auto* check : m_rows) check->clear();
    m_count->setText(tr("six checks"));
    setReason(!named  ? tr("Enter a name first")
              : valid ? tr("Test the host first")
                      : QString::fromStdString(valid.error().text()));
}

void AddHostPanel::setReason(const QString& why) {
    m_reason->setText(why);
    m_add->setEnabled(why.isEmpty());
    m_add->setAccessibleDescription(why);
}

void AddHostPanel::test() {
    if (!m_test->isEnabled()) return;
    const int generation = ++m_generation;
    for (auto* check : m_rows) check->clear();
    m_question->hide();
    m_test->setEnabled(false);
    m_count->setText(tr("testing…"));
    setReason(tr("Testing…"));
    QPointer<AddHostPanel> self(this);
    auto next = std::make_shared<std::size_t>(0);
    inBackground(
        this,
        [self, host = entry(), generation, next] {
            remote::ProbeOptions options;
            options.workerProgram = CatalogLoader::workerProgram();
            options.onCheck = [self, generation, next](const remote::HostCheck& check) {
                QMetaObject::invokeMethod(qApp, [self, generation, row = (*next)++, check] {
                    if (self && self->m_generation == generation) self->showCheck(row, check);
                });
            };
            return remote::probeHost(host, options);
        },
        [this, generation](const remote::HostReport& report) {
            if (generation == m_generation) finish(report);
        });
}

void AddHostPanel::showCheck(std::size_t at, const remote::HostCheck& check) {
    if (at < static_cast<std::size_t>(m_rows.size())) m_rows[static_cast<qsizetype>(at)]->set(check);
}

void AddHostPanel::finish(const remote::HostReport& report) {
    m_test->setEnabled(true);
    int passed = 0;
    QString first;
    for (std::size_t i = 0; i < report.checks.size(); ++i) {
        showCheck(i, report.checks[i]);
        passed += report.checks[i].ok ? 1 : 0;
        if (!report.checks[i].ok && first.isEmpty()) first = m_rows.value(static_cast<qsizetype>(i))->name();
    }
    m_count->setText(tr("%1 of %2 passed").arg(passed).arg(report.checks.size()));
    m_passed = report.ok();
    if (report.question) ask(*report.question);
    setReason(m_passed          ? QString()
              : report.question ? tr("Trust its key first")
                                : tr("“%1” must pass first").arg(first));
}

void AddHostPanel::ask(const remote::HostKeyQuestion& question) {
    m_asked = question;
    m_fingerprint->setText(QString::fromStdString(question.type) + QLatin1Char('\n') +
                           QString::fromStdString(question.fingerprint));
    m_question->show();
}

void AddHostPanel::trust() {
    if (!m_asked) return;
    inBackground(
        this, [question = *m_asked] { return remote::recordHostKey(question); },
        [this](Result<void> recorded) {
            if (recorded) {
                m_asked.reset();
                test();
            } else {
                setReason(QString::fromStdString(recorded.error().text()));
            }
        });
}

void AddHostPanel::signIn() {
    setReason(tr("Signing in…"));
    signInBackground(this, entry(), [this, generation = m_generation](const Result<void>& signedIn) {
        if (generation != m_generation) return;
        if (signedIn) test();
        else setReason(QString::fromStdString(signedIn.error().text()));
    });
}

void AddHostPanel::add() {
    inBackground(
        this,
        [host = entry()]() -> Result<void> {
            TY_ASSIGN(auto book, remote::HostBook::load());
            return book.add(host, true);
        },
        [this](Result<void> result) {
            if (result) {
                hide();
                clear();
                Q_EMIT added();
            } else {
                setReason(QString::fromStdString(result.error().text()));
            }
        });
}

} // namespace trainyard::ui
