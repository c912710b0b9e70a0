// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/serve/served_checkpoints.h"
#include "ui/models/workbench.h"
#include "ui/widgets/sheets/sheet.h"

class QComboBox;
class QGridLayout;
class QSpinBox;

namespace trainyard::ui {

class Label;
class PathField;
class ReachFields;
class UnitField;

// What the sheet begins with.
struct ServeRequest {
    std::optional<ServedCheckpoint> checkpoint{}; // else the newest
    QString service{};                            // that gets it as a new version; empty: a new service
};

// Serves a checkpoint: as a new service, or as a new version of one that runs. It deletes itself when closed.
class ServeSheet : public Sheet {
    Q_OBJECT
public:
    ServeSheet(Workbench& bench, QWidget* parent, const ServeRequest& request);

    UnitField* name() const { return m_name; }
    QComboBox* checkpoint() const { return m_checkpoint; }
    ReachFields* reach() const { return m_reach; }
    UnitField* port() const { return m_port; }
    QPushButton* goButton() const { return m_go; }
    QString problem() const;
    // As the fields say.
    serve::ServiceSpec spec() const;
    // Same as the button.
    void go();

private:
    void build();
    void buildFields(QGridLayout& grid);
    QWidget* buildFooter();
    void addRow(QGridLayout& grid, const QString& title, QWidget* field, bool ofNew = true);
    void listCheckpoints(std::vector<ServedCheckpoint> found);
    void listServices(const QString& chosen);
    void suggestName();
    void judge();
    void fit();
    void ended(const Result<void>& result);
    bool isNew() const;
    serve::ServedModel model() const;

    Workbench& m_bench;
    std::vector<ServedCheckpoint> m_found;
    QList<QWidget*> m_ofNew, m_ofVersion; // rows of a new service, of a version
    QComboBox *m_checkpoint, *m_service, *m_takes;
    UnitField *m_name, *m_port;
    PathField* m_file;
    QSpinBox *m_least, *m_most, *m_batch;
    ReachFields* m_reach;
    Label* m_problem;
    QPushButton* m_go;
    QWidget* m_area; // that scrolls in a small window
};

} // namespace trainyard::ui
