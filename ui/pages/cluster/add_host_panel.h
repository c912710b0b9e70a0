// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/hosts/host_probe.h"
#include "ui/widgets/layout.h"

class QComboBox;
class QLineEdit;

namespace trainyard::ui {

class UnitField;

// Adds a host: alias and address, six checks each with its fix, and the host key question.
class AddHostPanel : public Surface {
    Q_OBJECT
public:
    explicit AddHostPanel(QWidget* parent = nullptr);
    void open();
    // Opens for a host whose key must be accepted first.
    void openFor(const remote::HostEntry& host, const remote::HostKeyQuestion& question);

Q_SIGNALS:
    void added();

private:
    class CheckRow;
    void build();
    void buildFields(QVBoxLayout* layout);
    void buildTest(QVBoxLayout* layout);
    void buildQuestion(QVBoxLayout* layout);
    void buildFooter(QVBoxLayout* layout);
    void showAliases(const std::vector<remote::HostEntry>& hosts);
    void edited();
    remote::HostEntry entry() const;
    void test();
    void showCheck(std::size_t row, const remote::HostCheck& check);
    void finish(const remote::HostReport& report);
    void ask(const remote::HostKeyQuestion& question);
    void trust();
    void signIn();
    void add();
    void clear();
    void setReason(const QString& why);

    std::vector<remote::HostEntry> m_known;
    QComboBox* m_alias;
    QLineEdit *m_hostName, *m_user, *m_identity, *m_address;
    UnitField* m_port;
    Label *m_connects, *m_count, *m_reason, *m_fingerprint;
    QList<CheckRow*> m_rows;
    QWidget* m_question;
    std::optional<remote::HostKeyQuestion> m_asked;
    QPushButton *m_test, *m_add;
    int m_generation = 0; // answers of an older test are dropped
    bool m_passed = false;
};

} // namespace trainyard::ui
