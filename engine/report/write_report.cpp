// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/write_report.h"

#include "engine/base/files/atomic_file.h"
#include "engine/report/report_html.h"
#include "engine/report/run_report.h"
#include "engine/report/sweep_report.h"

#include <set>

namespace trainyard::report {
namespace fs = std::filesystem;

Result<void> mayWriteReport(const fs::path& file, bool replace) {
    std::error_code ignored;
    const std::string where = "report " + file.string();
    if (file.empty()) return inputError("has no name", where, "name a file, such as report.html");
    if (fs::is_directory(file, ignored)) return inputError("is a folder", where, "name a file in it");
    if (const auto folder = fs::absolute(file, ignored).parent_path(); !fs::is_directory(folder, ignored))
        return inputError("the folder " + folder.string() + " does not exist", where, "make it first");
    if (!replace && fs::exists(file, ignored))
        return inputError("exists already", where, "choose another name, or add --force");
    return {};
}

Result<Report> findReport(store::RunQuery& query, const std::vector<std::string>& names, const Progress& progress) {
    std::vector<store::RunRow> rows;
    std::set<std::string> ids;
    for (const std::string& name : names) {
        auto row = query.run(name);
        if (!row && names.size() == 1)
            if (const auto sweep = query.sweep(name)) return reportOf(query, *sweep);
        if (!row) return std::move(row).error();
        if (!ids.insert(row->id).second)
            return inputError("is named twice", "run " + row->name, "name each run once, by its id");
        rows.push_back(std::move(*row));
    }
    if (rows.empty()) return inputError("is of no run", "the report", "name a run");
    return rows.size() == 1 ? reportOf(query, rows.front()) : reportOf(query, rows, progress);
}

Result<std::int64_t> writeReport(store::RunQuery& query, const std::vector<std::string>& names, const fs::path& file,
                                 bool replace, const Progress& progress) {
    TY_TRY(mayWriteReport(file, replace));
    if (file.extension() == ".pdf")
        return inputError("is a report in HTML, which is not a PDF", "report " + file.string(),
                          "name a file such as report.html; a PDF is written by: trainyard --report RUN --pdf FILE");
    TY_ASSIGN(const auto report, findReport(query, names, progress));
    const std::string html = toHtml(report);
    TY_TRY(writeFileAtomic(file, html));
    return std::ssize(html);
}

} // namespace trainyard::report
