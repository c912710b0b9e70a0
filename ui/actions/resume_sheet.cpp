// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions/resume_sheet.h"

#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"
#include "engine/spec/run/host_ranks.h"
#include "engine/spec/run/resume_settings.h"
#include "engine/spec/run/sections.h"
#include "engine/spec/values/params.h"
#include "ui/forms/advanced_form.h"
#include "ui/models/hosts/hosts_check.h"
#include "ui/widgets/inputs/unit_field.h"
#include "ui/widgets/sheets/ask_sheet.h"

#include <QPointer>

#include <algorithm>

namespace trainyard::ui {

namespace {

QString hostsText(const std::vector<std::string>& hosts) {
    QStringList words;
    for (const auto& host : hosts) words << QString::fromStdString(host);
    return words.join(QStringLiteral(", "));
}

std::vector<std::string> hostsOf(const QString& text) {
    std::vector<std::string> hosts;
    for (const QString& word : text.split(QLatin1Char(','), Qt::SkipEmptyParts))
        if (!word.trimmed().isEmpty()) hosts.push_back(word.trimmed().toStdString());
    return hosts;
}

std::string listSetting(const char* path, const std::vector<std::string>& hosts) {
    std::string text = std::string(path) + "=[";
    for (const auto& host : hosts) text += (text.back() == '[' ? "\"" : ", \"") + host + "\"";
    return text + "]";
}

QStringList fixedPaths(const spec::RunSpec& before) {
    QStringList fixed;
    for (const auto& section : spec::runSections())
        for (const auto& info : section.params)
            if (!spec::mayResumeWith(before, std::string_view(info.name))) fixed << QString::fromStdString(info.name);
    return fixed;
}

UnitField* hostsField(const QString& name, const QString& placeholder) {
    auto* field = new UnitField;
    field->edit()->setAccessibleName(name);
    field->edit()->setPlaceholderText(placeholder);
    return field;
}

} // namespace

ResumeSheet::ResumeSheet(Workbench& bench, const RunItem& run, const spec::RunSpec& before, QWidget* parent)
    : Sheet(coveredBy(parent), QSize(600, 640)), m_bench(bench), m_run(run.id), m_before(before) {
    if (run.home.isHere()) m_known = QStringList(QStringLiteral("local")) + hostAliases();
    build(run);
    judge();
    connect(this, &Sheet::closed, this, &QObject::deleteLater);
}

void ResumeSheet::build(const RunItem& run) {
    panel()->setAccessibleName(tr("Resume with changes"));
    auto* content = new QWidget;
    auto* all = column(content);
    auto* head = column(nullptr, 4);
    setMargins(head, 20, 16, 20, 8);
    head->addWidget(new Label(tr("Resume with changes"), TextRole::Title));
    auto* about = new Label(tr("%1 continues from its last good checkpoint. The training itself stays as it is; to "
                               "change it, fork the run.")
                                .arg(run.name),
                            TextRole::Secondary);
    about->setWordWrap(true);
    head->addWidget(about);
    all->addLayout(head);
    auto* scroll = scrolled(buildFields(), tr("Settings you can change"));
    all->addWidget(scroll, 1);
    all->addWidget(buildFooter());
    body()->addWidget(content);
    setFirst(m_hosts->edit());
}

QWidget* ResumeSheet::buildFields() {
    auto* fields = new QWidget;
    auto* rows = column(fields, 8);
    setMargins(rows, 20, 8, 20, 16);
    auto* grid = new FormGrid;
    const QString known = m_known ? m_known->mid(1).join(QStringLiteral(", ")) : QString();
    m_hosts = hostsField(tr("Hosts"), m_known ? tr("this computer") : QStringLiteral("local"));
    if (m_known)
        m_hosts->setToolTip(known.isEmpty() ? tr("No other host is known: add one on the Cluster page")
                                            : tr("Separated by commas; known hosts: local, %1").arg(known));
    m_spareHosts = hostsField(tr("Spare hosts"), tr("none"));
    m_spareHosts->setToolTip(tr("A spare replaces a host that is lost, or that cannot be used at the start"));
    m_hosts->setText(hostsText(m_before.hosts));
    m_spareHosts->setText(hostsText(m_before.spareHosts));
    grid->addRow(tr("Hosts"), m_hosts);
    grid->addRow(tr("Spare hosts"), m_spareHosts);
    rows->addWidget(grid);
    m_form = new AdvancedForm(fixedPaths(m_before), FormGrid::Plain);
    m_form->setSpec(m_before);
    m_form->setOpen(true);
    rows->addWidget(m_form);
    rows->addStretch();
    for (auto* field : {m_hosts, m_spareHosts}) connect(field, &UnitField::textEdited, this, &ResumeSheet::judge);
    connect(m_form, &AdvancedForm::changed, this, &ResumeSheet::judge);
    return fields;
}

QWidget* ResumeSheet::buildFooter() {
    auto* footer = new Surface(SurfaceColor::Panel, TopEdge);
    auto* buttons = row(footer, 8);
    setMargins(buttons, 20, 11, 20, 10);
    m_fault = new Label(QString(), TextRole::SmallError);
    m_fault->setWordWrap(true);
    auto* cancel = button(tr("Cancel"));
    m_resume = button(tr("Resume"), QStringLiteral("play"), "primary");
    buttons->addWidget(m_fault, 1);
    buttons->addWidget(cancel);
    buttons->addWidget(m_resume);
    connect(cancel, &QPushButton::clicked, this, &Sheet::close);
    connect(m_resume, &QPushButton::clicked, this, &ResumeSheet::go);
    return footer;
}

QString ResumeSheet::fault() const { return m_fault->text(); }

bool ResumeSheet::showAt(const std::string& path, const QString& message) {
    const QString field = QString::fromStdString(path).section(QLatin1Char('.'), 0, 0);
    if (field == QLatin1String("hosts")) m_hosts->setError(message);
    else if (field == QLatin1String("spareHosts")) m_spareHosts->setError(message);
    else if (auto* param = m_form->field(QString::fromStdString(path))) param->setError(message);
    else return false;
    return true;
}

// Checks only the fields of this sheet: the others were valid before, and are checked again when the run resumes.
void ResumeSheet::judge() {
    QStringList errors;
    for (auto* field : {m_hosts, m_spareHosts}) field->setError({});
    spec::RunSpec now = m_form->applied(m_before, &errors);
    now.hosts = hostsOf(m_hosts->text());
    now.spareHosts = hostsOf(m_spareHosts->text());
    for (const auto& each : spec::validateFields(now)) {
        const QString message = QString::fromStdString(each.message);
        if (spec::mayResumeWith(m_before, std::string_view(each.path)) && showAt(each.path, message)) errors << message;
    }
    std::vector<std::string> known;
    for (const QString& host : m_known.value_or(QStringList())) known.push_back(host.toStdString());
    const auto isIn = [](const std::vector<std::string>& hosts, const std::string& host) {
        return std::find(hosts.begin(), hosts.end(), host) != hosts.end();
    };
    for (const auto& [field, hosts] : {std::pair{m_hosts, now.hosts}, std::pair{m_spareHosts, now.spareHosts}})
        for (const auto& host : hosts) {
            if (!m_known || !field->error().isEmpty() || spec::isThisComputer(host)) continue;
            if (isIn(known, host) || isIn(m_before.hosts, host) || isIn(m_before.spareHosts, host)) continue;
            const QString name = QString::fromStdString(printable(host, 60));
            const QString near = QString::fromStdString(nearestWord(host, known));
            field->setError(near.isEmpty() ? tr("There is no host %1: add it on the Cluster page").arg(name)
                                           : tr("There is no host %1: did you mean %2?").arg(name, near));
            errors << field->error();
        }
    m_changes.clear();
    const auto before = spec::sectionValues(m_before), after = spec::sectionValues(now);
    for (const auto& [path, value] : after)
        if (const auto was = before.find(path); was == before.end() || spec::toText(was->second) != spec::toText(value))
            m_changes.push_back(path + "=" + spec::toText(value));
    if (now.hosts != m_before.hosts) m_changes.push_back(listSetting("hosts", now.hosts));
    if (now.spareHosts != m_before.spareHosts) m_changes.push_back(listSetting("spareHosts", now.spareHosts));
    m_fault->setText({});
    m_resume->setEnabled(errors.isEmpty());
}

// A host's error names the host, not the field.
std::string ResumeSheet::fieldOf(const std::string& where) const {
    for (const auto& [path, field] : {std::pair{"hosts", m_hosts}, std::pair{"spareHosts", m_spareHosts}})
        for (const auto& host : hostsOf(field->text()))
            if (where == host || where.ends_with("@" + host)) return path;
    return where;
}

void ResumeSheet::go() {
    if (!m_resume->isEnabled()) return;
    m_resume->setEnabled(false);
    m_fault->setText({});
    m_bench.actions.resumeWith(m_run, 0, m_changes, [self = QPointer<ResumeSheet>(this)](const Result<void>& resumed) {
        if (!self) return;
        if (resumed) return self->close();
        self->m_resume->setEnabled(true);
        const Error& error = resumed.error();
        const QString message = QString::fromStdString(error.message);
        if (!self->showAt(self->fieldOf(error.where), message))
            self->m_fault->setText(QString::fromStdString(error.text()));
    });
}

} // namespace trainyard::ui
