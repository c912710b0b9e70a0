// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/data/bad_files.h"
#include "ui/models/runs/run_item.h"
#include "ui/widgets/sheets/sheet.h"

class QListView;
class QProcess;
class QPushButton;
class QStandardItemModel;

namespace trainyard::ui {

class Label;

// Files of a dataset that cannot be read, each with the reason, a thumbnail where anything of it can be decoded, and
// buttons to open it.
class BadFilesSheet : public Sheet {
    Q_OBJECT
public:
    explicit BadFilesSheet(QWidget* window);
    ~BadFilesSheet() override;

    // Those that a run has left out: its data-errors.jsonl.
    void showRun(const RunItem& run);
    // A sheet with them over the window; nothing for no run.
    static void openOf(const RunItemPtr& run, QWidget* window);
    // Decodes all pictures of a folder, as `trainyardctl data check` does.
    void checkFolder(const QString& folder);
    QStandardItemModel* model() const { return m_model; }
    QString summary() const;

private:
    void build();
    void fill(const Result<BadFiles>& found);
    void lookAt(int row);
    QString current() const;
    void tell(const QString& words);

    QStandardItemModel* m_model;
    QListView* m_list;
    Label *m_title, *m_summary;
    QPushButton *m_open, *m_reveal;
    QProcess* m_process = nullptr;
};

} // namespace trainyard::ui
