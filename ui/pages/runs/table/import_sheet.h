// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/share/import_runs.h"
#include "ui/models/workbench.h"
#include "ui/widgets/sheets/sheet.h"

#include <atomic>
#include <memory>

class QPushButton;
class QStackedWidget;
class QStandardItemModel;
class QTableView;

namespace trainyard::ui {

class DropZone;
class Label;

// Runs recorded by other programs: those found, the meaning of their columns, and which are new; then the import of the
// chosen ones, with a result for each. The user chooses or drops files and folders.
class ImportSheet : public Sheet {
    Q_OBJECT
public:
    ImportSheet(Workbench& bench, QWidget* window);

    // Adds the runs found in these files and folders.
    void look(const QStringList& paths);

Q_SIGNALS:
    void looked(); // all given paths were read
    void imported();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void build();
    QWidget* buildEmpty();
    QWidget* buildFoot();
    void chooseFiles();
    void chooseFolder();
    void addFound(const Result<std::vector<run::ImportPreview>>& found);
    void addRow(const run::ImportPreview& preview);
    void nameRows();
    void refresh();
    void showDetail();
    std::vector<int> chosenRows() const;
    void importChosen();
    void rowImported(int row, const run::ImportedSource& source);
    void allImported(const Result<std::vector<run::ImportedSource>>& result);
    void showThem();

    Workbench& m_bench;
    QStandardItemModel* m_model;
    QStackedWidget* m_stack; // the instructions, or the table
    DropZone* m_zone;
    QTableView* m_table;
    Label *m_summary, *m_problem, *m_detail;
    QPushButton *m_import, *m_files, *m_folder;
    std::vector<run::ImportPreview> m_found;    // by row
    std::vector<run::ImportedSource> m_results; // by row; of those that were imported
    std::shared_ptr<std::atomic<bool>> m_stop = std::make_shared<std::atomic<bool>>(false);
    int m_looking = 0; // paths that are being read
    bool m_running = false;
    QStringList m_imported; // ids of the runs
};

} // namespace trainyard::ui
