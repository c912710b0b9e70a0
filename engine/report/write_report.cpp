// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/write_report.h"

#include "engine/base/atomic_file.h"
#include "engine/report/report_html.h"
#include "engine/report/run_report.h"

#include <set>

namespace trainyard::report {
namespace {

namespace fs = std::filesystem;

Result<void> mayWrite(const fs::path& file, bool replace) {
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

} // namespace

Result<std::int64_t> writeReport(store::RunQuery& query, const std::vector<std::string>& runs, const fs::path& file,
                                 bool replace) {
    TY_TRY(mayWrite(file, replace));
    std::vector<store::RunRow> rows;
    std::set<std::string> ids;
    for (const std::string& name : runs) {
        TY_ASSIGN(auto row, query.run(name));
        if (!ids.insert(row.id).second)
            return inputError("is named twice", "run " + row.name, "name each run once, by its id");
        rows.push_back(std::move(row));
    }
    if (rows.empty()) return inputError("is of no run", "report " + file.string(), "name a run");
    TY_ASSIGN(const auto report, rows.size() == 1 ? reportOf(query, rows.front()) : reportOf(query, rows));
    const std::string html = toHtml(report);
    TY_TRY(writeFileAtomic(file, html));
    return std::ssize(html);
}

} // namespace trainyard::report
