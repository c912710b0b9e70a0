// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/run_spec.h"
#include "ui/models/workbench.h"
#include "ui/widgets/sheets/sheet.h"

class QPushButton;

namespace trainyard::ui {

class AdvancedForm;
class Label;
class UnitField;

// Resumes a run with other hosts, workers, failure settings and other settings that leave the training itself unchanged
// (spec::mayResumeWith). If that fails, it stays open and shows the reason.
class ResumeSheet : public Sheet {
    Q_OBJECT
public:
    // `before`: its run file. Covers the window of `parent`.
    ResumeSheet(Workbench& bench, const RunItem& run, const spec::RunSpec& before, QWidget* parent);

    UnitField* hosts() const { return m_hosts; }
    UnitField* spareHosts() const { return m_spareHosts; }
    AdvancedForm* form() const { return m_form; }
    QPushButton* resumeButton() const { return m_resume; }
    QString fault() const; // an error of no single field
    // The changed settings, "path=value" each.
    const std::vector<std::string>& changes() const { return m_changes; }

private:
    void build(const RunItem& run);
    QWidget* buildFields();
    QWidget* buildFooter();
    void judge();
    bool showAt(const std::string& path, const QString& message);
    std::string fieldOf(const std::string& where) const;
    void go();

    Workbench& m_bench;
    QString m_run;
    spec::RunSpec m_before;
    std::optional<QStringList> m_known; // known hosts; nothing: the run lives elsewhere, where its hosts are known
    UnitField *m_hosts = nullptr, *m_spareHosts = nullptr;
    AdvancedForm* m_form = nullptr;
    Label* m_fault = nullptr;
    QPushButton* m_resume = nullptr;
    std::vector<std::string> m_changes;
};

} // namespace trainyard::ui
