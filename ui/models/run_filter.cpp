// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_filter.h"

#include <QCoreApplication>

#include <cmath>
#include <optional>

namespace trainyard::ui {

namespace {

QString filterText(const char* text) { return QCoreApplication::translate("RunFilter", text); }

// Splits at spaces and at "and", but keeps "lr < 0.1" and "lr in 1..2" together.
QStringList splitTerms(const QString& text) {
    static const QRegularExpression joiner(QStringLiteral("\\s+and\\s+|\\s*&&\\s*|^\\s*and\\s+|\\s+and\\s*$"),
                                           QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression spacedOp(QStringLiteral("\\s*(<=|>=|!=|==|<|>|=|:)\\s*"));
    static const QRegularExpression spacedIn(QStringLiteral("(\\S+)\\s+in\\s+(\\S+)"),
                                             QRegularExpression::CaseInsensitiveOption);
    QStringList terms;
    for (QString part : text.split(joiner, Qt::SkipEmptyParts)) {
        part.replace(spacedOp, QStringLiteral("\\1"));
        part.replace(spacedIn, QStringLiteral("\\1\x1f\\2"));
        terms << part.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    }
    return terms;
}

std::optional<double> toNumber(const QString& text) {
    bool ok = false;
    const double value = text.toDouble(&ok);
    return ok ? std::optional(value) : std::nullopt;
}

// Whether `key`, in lower case, is the path of a setting or its end ("lr", "elastic.min"); "model.dropout" is accepted
// for "model.params.dropout", and "batch" for what sizes it. Asked for each setting of each run: lengths come first.
bool isNamed(const QString& path, const QString& low) {
    const qsizetype before = path.size() - low.size();
    if (before == 0 || (before > 0 && path[before - 1] == QLatin1Char('.')))
        if (QStringView(path).mid(before).compare(low, Qt::CaseInsensitive) == 0) return true;
    static const QString kParams = QStringLiteral(".params");
    if (before == kParams.size() && path.contains(kParams))
        return QString(path).remove(kParams).compare(low, Qt::CaseInsensitive) == 0;
    return before > 0 && low == QLatin1String("batch") && path.startsWith(QLatin1String("batch.")) &&
           path != QLatin1String("batch.accumulate");
}

// Every value a key stands for in a run; several when a short word names several settings.
QStringList textsOf(const QString& low, const std::string& series, const RunItem& run) {
    if (low == QLatin1String("tag") || low == QLatin1String("tags")) return run.tags;
    if (low == QLatin1String("name")) return {run.name};
    if (low == QLatin1String("status"))
        return {QString::fromUtf8(wire::toString(run.row.status)), statusWord(run.status)};
    if (low == QLatin1String("workers")) return {QString::number(run.workers)};
    if (low == QLatin1String("epoch")) return {QString::number(run.row.epoch, 'g', 12)};
    if (low == QLatin1String("step")) return {QString::number(run.row.step)};
    if (const double best = run.bestOf(series); !std::isnan(best)) return {QString::number(best, 'g', 17)};
    QStringList values;
    for (const auto& [path, value] : run.settings)
        if (isNamed(path, low)) values << value;
    return values;
}

} // namespace

RunFilter::RunFilter(const QString& text) {
    for (const QString& term : splitTerms(text)) parseTerm(term);
}

void RunFilter::parseTerm(const QString& text) {
    if (const qsizetype in = text.indexOf(QChar(0x1f)); in >= 0) {
        const QStringList ends = text.mid(in + 1).split(QStringLiteral(".."));
        const auto low = ends.size() == 2 ? toNumber(ends[0]) : std::nullopt;
        const auto high = ends.size() == 2 ? toNumber(ends[1]) : std::nullopt;
        if (!low || !high) {
            m_error = filterText("“%1” is not a range; write lr in 0.01..0.1").arg(text.mid(in + 1));
            return;
        }
        m_terms << Term{Op::Between, text.left(in).toLower(), text.left(in).toStdString(), {}, *low, *high, true};
        return;
    }
    static const QRegularExpression shape(QStringLiteral("^([^<>=!:]+)(<=|>=|!=|==|<|>|=|:)(.*)$"));
    const auto match = shape.match(text);
    if (!match.hasMatch()) {
        if (text.contains(QRegularExpression(QStringLiteral("[<>=!]")))) {
            m_error = filterText("“%1” has no name before the sign; write lr<0.1").arg(text);
            return;
        }
        m_terms << Term{Op::Word, {}, {}, text, 0, 0, false};
        return;
    }
    const QString sign = match.captured(2);
    const QString value = match.captured(3);
    if (value.isEmpty()) {
        m_error = filterText("“%1” needs a value after %2").arg(text, sign);
        return;
    }
    static const QHash<QString, Op> ops{{QStringLiteral("<"), Op::Less},    {QStringLiteral("<="), Op::LessEqual},
                                        {QStringLiteral(">"), Op::Greater}, {QStringLiteral(">="), Op::GreaterEqual},
                                        {QStringLiteral("="), Op::Equal},   {QStringLiteral("=="), Op::Equal},
                                        {QStringLiteral(":"), Op::Equal},   {QStringLiteral("!="), Op::NotEqual}};
    const auto number = toNumber(value);
    const Op op = ops.value(sign);
    if (!number && op != Op::Equal && op != Op::NotEqual) {
        m_error = filterText("“%1” is not a number; %2 compares numbers").arg(value, sign);
        return;
    }
    const QString key = match.captured(1);
    m_terms << Term{op, key.toLower(), key.toStdString(), value, number.value_or(0), 0, number.has_value()};
}

bool RunFilter::matches(const RunItem& run) const {
    for (const Term& term : m_terms)
        if (!matches(term, run)) return false;
    return true;
}

bool RunFilter::matches(const Term& term, const RunItem& run) {
    if (term.op == Op::Word) {
        const auto has = [&term](const QString& text) { return text.contains(term.text, Qt::CaseInsensitive); };
        return has(run.name) || has(statusWord(run.status)) || has(run.model) || has(run.dataset) ||
               std::any_of(run.tags.begin(), run.tags.end(), has);
    }
    const auto fits = [&term](const QString& text) {
        const auto value = toNumber(text);
        const bool numbers = term.number && value;
        switch (term.op) {
        case Op::Equal:
        case Op::NotEqual: {
            const bool same = numbers ? *value == term.low : text.compare(term.text, Qt::CaseInsensitive) == 0;
            return same == (term.op == Op::Equal);
        }
        case Op::Less: return numbers && *value < term.low;
        case Op::LessEqual: return numbers && *value <= term.low;
        case Op::Greater: return numbers && *value > term.low;
        case Op::GreaterEqual: return numbers && *value >= term.low;
        case Op::Between: return numbers && *value >= term.low && *value <= term.high;
        case Op::Word: break;
        }
        return false;
    };
    const QStringList texts = textsOf(term.key, term.series, run);
    if (term.op == Op::NotEqual) return std::all_of(texts.begin(), texts.end(), fits);
    return std::any_of(texts.begin(), texts.end(), fits);
}

} // namespace trainyard::ui
