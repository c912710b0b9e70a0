// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runs/table/import_sheet.h"

#include "engine/run/share/import_names.h"
#include "ui/models/desktop/background.h"
#include "ui/models/desktop/file_question.h"
#include "ui/models/new_run/drop_use.h"
#include "ui/models/text/format.h"
#include "ui/pages/runs/table/import_words.h"
#include "ui/widgets/inputs/drop_zone.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/marks/cell_delegate.h"

#include <QDragEnterEvent>
#include <QHeaderView>
#include <QMimeData>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QTableView>

namespace trainyard::ui {

namespace {

enum ImportColumn { RunColumnAt, FromColumn, BytesColumn, StateColumn, ImportColumns };

QStandardItem* importCell(const QString& text, const QString& tip = {}) {
    auto* cell = new QStandardItem(text);
    cell->setEditable(false);
    cell->setToolTip(tip.isEmpty() ? text : tip);
    return cell;
}

} // namespace

ImportSheet::ImportSheet(Workbench& bench, QWidget* window)
    : Sheet(window, QSize(860, 560)), m_bench(bench), m_model(new QStandardItemModel(0, ImportColumns, this)) {
    setAcceptDrops(true);
    build();
    connect(this, &Sheet::closed, this, [this] {
        *m_stop = true; // once the run being read is done
        deleteLater();
    });
    refresh();
}

void ImportSheet::build() {
    auto* head = new Surface(SurfaceColor::Panel, BottomEdge);
    auto* top = row(head, 8);
    setMargins(top, 12, 8, 8, 8);
    top->addWidget(new Label(tr("Import runs"), TextRole::Title));
    m_summary = new Label(QString(), TextRole::Secondary);
    top->addWidget(m_summary, 1);
    auto* close = iconButton(QStringLiteral("close"), tr("Close"));
    connect(close, &QToolButton::clicked, this, &Sheet::close);
    top->addWidget(close);
    m_model->setHorizontalHeaderLabels({tr("Run"), tr("Recorded by"), tr("Size"), tr("State")});
    m_model->horizontalHeaderItem(BytesColumn)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_table = plainTable(m_model, tr("Runs to import"));
    m_stack = new QStackedWidget;
    m_stack->addWidget(buildEmpty());
    m_stack->addWidget(m_table);
    m_detail = new Label(QString(), TextRole::SmallSecondary);
    m_problem = new Label(QString(), TextRole::SmallError);
    for (Label* each : {m_detail, m_problem}) {
        each->setWordWrap(true);
        each->setTextFormat(Qt::PlainText);
        each->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        each->setContentsMargins(Theme::current().px(12), Theme::current().px(6), Theme::current().px(12),
                                 Theme::current().px(6));
    }
    body()->addWidget(head);
    body()->addWidget(m_stack, 1);
    body()->addWidget(m_detail);
    body()->addWidget(m_problem);
    body()->addWidget(buildFoot());
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ImportSheet::showDetail);
    connect(m_model, &QStandardItemModel::itemChanged, this, [this](const QStandardItem* item) {
        if (item->column() == RunColumnAt) refresh();
    });
}

QWidget* ImportSheet::buildEmpty() {
    auto* page = new QWidget;
    auto* layout = column(page, 8);
    setMargins(layout, 12, 16, 12, 12);
    layout->addWidget(new Label(tr("Choose files or a folder, or drop them here"), TextRole::Heading));
    auto* what =
        new Label(tr("TensorBoard event files, W&B runs, MLflow's mlruns or mlflow.db, CSV or JSON with a step or "
                     "an epoch (Lightning, Hugging Face, Keras, OpenMMLab, Ray), logs that print metrics, and runs "
                     "exported from another computer. Trainyard never changes these files."),
                  TextRole::Secondary);
    what->setTextFormat(Qt::PlainText);
    what->setWordWrap(true);
    layout->addWidget(what);
    layout->addSpacing(Theme::current().px(8));
    m_zone = new DropZone(tr("Drop files or a folder here"));
    m_zone->setAccessibleName(tr("Drop area"));
    m_zone->setIcon(QStringLiteral("import"));
    m_zone->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    layout->addWidget(m_zone, 1);
    return page;
}

QWidget* ImportSheet::buildFoot() {
    auto* foot = new Surface(SurfaceColor::Panel, TopEdge);
    auto* bottom = row(foot, 8);
    setMargins(bottom, 12, 8, 12, 8);
    m_files = button(tr("Choose files…"), QStringLiteral("folder"));
    m_folder = button(tr("Choose a folder…"));
    m_import = button(tr("Import"), QStringLiteral("import"), "primary");
    m_import->setObjectName(QStringLiteral("import-runs"));
    bottom->addWidget(m_files);
    bottom->addWidget(m_folder);
    bottom->addStretch();
    bottom->addWidget(m_import);
    setFirst(m_files);
    connect(m_files, &QPushButton::clicked, this, &ImportSheet::chooseFiles);
    connect(m_folder, &QPushButton::clicked, this, &ImportSheet::chooseFolder);
    connect(m_import, &QPushButton::clicked, this, [this] {
        if (m_running) *m_stop = true;
        else if (!m_imported.isEmpty() && chosenRows().empty()) showThem();
        else importChosen();
    });
    return foot;
}

void ImportSheet::chooseFiles() {
    askForFiles(this, {.kind = FileQuestion::Kind::Files, .title = tr("Files from other programs")},
                [this](const ChosenFiles& files) { look(files.paths); });
}

void ImportSheet::chooseFolder() {
    askForFiles(this, {.kind = FileQuestion::Kind::Folder, .title = tr("Folder with runs from other programs")},
                [this](const ChosenFiles& folder) { look(folder.paths); });
}

void ImportSheet::look(const QStringList& paths) {
    if (paths.isEmpty() || m_running) return;
    m_problem->setText({});
    m_looking += static_cast<int>(paths.size());
    refresh();
    for (const QString& path : paths)
        inBackground(
            this,
            [workspace = m_bench.feed.workspace(), path] { return run::previewImports(workspace, path.toStdString()); },
            [this](Result<std::vector<run::ImportPreview>> found) {
                addFound(found);
                if (--m_looking == 0) Q_EMIT looked();
                refresh();
            });
}

void ImportSheet::addFound(const Result<std::vector<run::ImportPreview>>& found) {
    if (!found) {
        const QString text = QString::fromStdString(found.error().text());
        m_problem->setText(m_problem->text().isEmpty() ? text : m_problem->text() + QLatin1Char('\n') + text);
        return;
    }
    for (const run::ImportPreview& preview : *found) {
        const bool isListed = std::any_of(m_found.begin(), m_found.end(), [&](const run::ImportPreview& each) {
            return each.found.key() == preview.found.key();
        });
        if (!isListed) addRow(preview);
    }
    nameRows();
    if (!m_table->currentIndex().isValid() && m_model->rowCount() > 0) m_table->selectRow(0);
}

void ImportSheet::addRow(const run::ImportPreview& preview) {
    m_found.push_back(preview);
    m_results.emplace_back();
    auto* name =
        importCell(QString::fromStdString(preview.found.name), QString::fromStdString(preview.found.path.string()));
    name->setCheckable(true);
    name->setCheckState(Qt::Checked);
    const bool isPart = !preview.found.part.empty(); // whose size is not known
    auto* size = importCell(isPart ? kNoValue : bytesText(static_cast<double>(preview.bytes)));
    size->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_model->appendRow({name, importCell(importKindText(preview.found.kind), mappingText(preview.found)), size,
                        importCell(preview.known ? tr("imported before") : tr("new"))});
}

// What tells the runs apart changes with each path that is added.
void ImportSheet::nameRows() {
    std::vector<run::FoundImport> all;
    for (const run::ImportPreview& each : m_found) all.push_back(each.found);
    run::nameApart(all);
    const QSignalBlocker quiet(m_model); // thousands of rows, and nothing but names
    for (std::size_t row = 0; row < all.size(); ++row) {
        if (!m_results[row].run.empty()) continue; // it has its name
        m_found[row].found.name = all[row].name;
        m_model->item(static_cast<int>(row), RunColumnAt)->setText(QString::fromStdString(all[row].name));
    }
    m_table->viewport()->update();
}

std::vector<int> ImportSheet::chosenRows() const {
    std::vector<int> rows;
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (m_model->item(row, RunColumnAt)->checkState() == Qt::Checked) rows.push_back(row);
    return rows;
}

void ImportSheet::refresh() {
    const auto chosen = static_cast<int>(chosenRows().size());
    const bool any = m_model->rowCount() > 0;
    m_stack->setCurrentIndex(any ? 1 : 0);
    if (m_looking > 0) m_summary->setText(tr("Searching…"));
    else m_summary->setText(any ? tr("%n runs found", nullptr, m_model->rowCount()) : QString());
    for (const int column : {FromColumn, BytesColumn, StateColumn})
        m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(RunColumnAt, QHeaderView::Stretch);
    m_files->setEnabled(!m_running);
    m_folder->setEnabled(!m_running);
    const bool over = chosen == 0 && !m_imported.isEmpty();
    m_import->setText(m_running ? tr("Stop")
                      : over    ? tr("Show them")
                      : any     ? tr("Import %n runs", nullptr, chosen)
                                : tr("Import"));
    m_import->setEnabled(m_running || over || (chosen > 0 && m_looking == 0));
    const QWidget* focused = window()->focusWidget();
    if (m_import->isEnabled() && (focused == m_files || focused == m_folder)) m_import->setFocus(); // it comes next
    m_problem->setVisible(!m_problem->text().isEmpty());
    showDetail();
}

void ImportSheet::showDetail() {
    const int row = m_table->currentIndex().row();
    QStringList lines;
    if (row >= 0 && row < static_cast<int>(m_found.size())) {
        const auto& found = m_found[static_cast<std::size_t>(row)].found;
        lines << QString::fromStdString(found.path.string());
        lines << mappingText(found) << leftOutText(m_results[static_cast<std::size_t>(row)]);
        lines.removeAll(QString());
    }
    m_detail->setText(lines.join(QLatin1Char('\n')));
    m_detail->setVisible(!lines.isEmpty());
}

void ImportSheet::importChosen() {
    const auto rows = chosenRows();
    if (rows.empty()) return;
    std::vector<run::FoundImport> found;
    for (const int row : rows) {
        found.push_back(m_found[static_cast<std::size_t>(row)].found);
        m_model->item(row, StateColumn)->setText(tr("waiting"));
    }
    m_running = true;
    *m_stop = false;
    m_problem->setText({});
    refresh();
    const QPointer<ImportSheet> guard(this);
    const auto tell = [guard](auto what) {
        QMetaObject::invokeMethod(qApp, [guard, what = std::move(what)] {
            if (guard) what(*guard);
        });
    };
    inBackground(
        this,
        [workspace = m_bench.feed.workspace(), found, rows, tell, stop = m_stop] {
            std::size_t at = 0;
            run::ImportHooks hooks;
            hooks.begins = [&](std::size_t index) {
                at = index;
                if (*stop) return false;
                tell([row = rows[index]](ImportSheet& sheet) {
                    sheet.m_model->item(row, StateColumn)->setText(tr("reading…"));
                });
                return true;
            };
            hooks.told = [&](const run::ImportedSource& source) {
                tell([row = rows[at], source](ImportSheet& sheet) { sheet.rowImported(row, source); });
            };
            return run::importFound(workspace, found, hooks);
        },
        [this](Result<std::vector<run::ImportedSource>> result) { allImported(result); });
}

void ImportSheet::rowImported(int row, const run::ImportedSource& source) {
    m_results[static_cast<std::size_t>(row)] = source;
    m_model->item(row, RunColumnAt)->setText(QString::fromStdString(source.name));
    m_model->item(row, StateColumn)->setText(resultText(source));
    m_model->item(row, StateColumn)->setToolTip(leftOutText(source));
    m_model->item(row, RunColumnAt)->setCheckState(Qt::Unchecked);
    if (!source.run.empty()) m_imported << QString::fromStdString(source.run);
    if (source.outcome == run::ImportedSource::Outcome::Failed) m_table->selectRow(row);
    showDetail();
}

void ImportSheet::allImported(const Result<std::vector<run::ImportedSource>>& result) {
    m_running = false;
    if (!result) m_problem->setText(QString::fromStdString(result.error().text()));
    for (const int row : chosenRows()) m_model->item(row, StateColumn)->setText(tr("not imported yet"));
    refresh();
    Q_EMIT imported();
}

void ImportSheet::showThem() {
    m_bench.selection.setSelected(m_imported);
    m_bench.selection.setCurrent(m_imported.front());
    Q_EMIT m_bench.pageRequested(PageId::runs);
    close();
}

void ImportSheet::dragEnterEvent(QDragEnterEvent* event) {
    if (m_running || localPaths(*event->mimeData()).isEmpty()) return;
    event->acceptProposedAction();
    m_zone->setInviting(true);
}

void ImportSheet::dragLeaveEvent(QDragLeaveEvent*) { m_zone->setInviting(false); }

void ImportSheet::dropEvent(QDropEvent* event) {
    m_zone->setInviting(false);
    event->acceptProposedAction();
    look(localPaths(*event->mimeData()));
}

} // namespace trainyard::ui
