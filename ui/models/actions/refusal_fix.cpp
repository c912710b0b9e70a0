// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/actions/refusal_fix.h"

#include "engine/spec/run/run_spec.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <optional>

namespace trainyard::ui {

namespace {

struct RefusalWords {
    Q_DECLARE_TR_FUNCTIONS(RefusalFix)
};

struct PlacedColumn {
    int number = 0; // from 1
    QString name;   // as displayed
};

// The column of a cell's place, "FILE, line 3, column 2 (width)", as formats::Table::position() writes it; nothing
// where it names none.
std::optional<PlacedColumn> columnOf(const std::string& place) {
    static const QRegularExpression cell(QStringLiteral(", line \\d+, column (\\d+) \\((.*)\\)$"));
    const auto found = cell.match(QString::fromStdString(place));
    if (!found.hasMatch()) return std::nullopt;
    return PlacedColumn{found.captured(1).toInt(), found.captured(2)};
}

auto missingCells(const char* choice) {
    return [choice](spec::RunSpec& spec) { spec.dataset.params["missing"] = std::string(choice); };
}

// The text beside the button gives their number.
void skipUnreadable(spec::RunSpec& spec) {
    spec.data.onError = "skip";
    spec.data.maxBad = 1;
}

// Uses the column's number if its name is ambiguous in the list, or displayed shortened.
QString inIgnoreList(const PlacedColumn& column) {
    static const QRegularExpression awkward(QStringLiteral("^\\d*$|^[ #]|[,\\\\\"]|[ …]$"));
    return awkward.match(column.name).hasMatch() ? QStringLiteral("#%1").arg(column.number) : column.name;
}

RefusalFix leaveOut(const PlacedColumn& column) {
    const auto apply = [word = inIgnoreList(column).toStdString()](spec::RunSpec& spec) {
        const std::string before = spec.dataset.text("ignore", "");
        spec.dataset.params["ignore"] = before.empty() ? word : before + ", " + word;
    };
    return {RefusalWords::tr("Leave column %1 out").arg(column.name), apply};
}

// Halves the batch, as a person would; nothing if there are more backward passes than samples.
QList<RefusalFix> smallerBatch(spec::RunSpec run, std::int64_t samples) {
    while (run.globalBatch() > samples) {
        auto half = spec::withHalfTheBatch(run);
        if (!half) return {};
        run = std::move(*half);
    }
    const auto apply = [batch = run.batch](spec::RunSpec& spec) { spec.batch = batch; };
    const auto each = run.batch.perRank;
    const QString words =
        each ? RefusalWords::tr("Use a batch of %1 per worker") : RefusalWords::tr("Use a batch of %1");
    return {{words.arg(each.value_or(run.globalBatch())), apply}};
}

QList<RefusalFix> ofMissingCells(const spec::RunSpec& run, const std::optional<PlacedColumn>& column) {
    const std::string chosen = run.dataset.text("missing", "fill");
    QList<RefusalFix> fixes;
    if (chosen != "fill") fixes << RefusalFix{RefusalWords::tr("Fill empty cells in"), missingCells("fill")};
    if (column) fixes << leaveOut(*column);
    if (chosen != "drop")
        fixes << RefusalFix{RefusalWords::tr("Leave rows with empty cells out"), missingCells("drop")};
    return fixes;
}

} // namespace

QList<RefusalFix> fixesOf(const Error& error, const spec::RunSpec& run, const spec::Entry* dataset,
                          std::int64_t samples) {
    const bool invalid = error.code == ErrorCode::FieldInvalid, unreadable = error.code == ErrorCode::DataUnreadable;
    if (error.where == "batch") return invalid && samples > 0 ? smallerBatch(run, samples) : QList<RefusalFix>();
    const bool isTable = dataset && dataset->find("missing");
    const auto column = isTable ? columnOf(error.where) : std::nullopt;
    QList<RefusalFix> fixes;
    if (unreadable && isTable) fixes << ofMissingCells(run, column);
    else if (unreadable) fixes << RefusalFix{RefusalWords::tr("Leave unreadable images out"), skipUnreadable};
    else if (invalid && column) fixes << leaveOut(*column);
    fixes << RefusalFix{RefusalWords::tr("Check again"), {}};
    return fixes;
}

} // namespace trainyard::ui
