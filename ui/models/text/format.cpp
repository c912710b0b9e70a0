// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/text/format.h"

#include "engine/run/record/series/source_series.h"
#include "engine/run/record/series/system_series.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QRegularExpression>

#include <cmath>

namespace trainyard::ui {

namespace {
struct FormatWords {
    Q_DECLARE_TR_FUNCTIONS(format)
};
} // namespace

QString durationText(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) return kNoValue;
    const auto total = static_cast<qint64>(seconds + 0.5);
    const qint64 hours = total / 3600;
    const qint64 minutes = total / 60 % 60;
    const QString tail = QStringLiteral(":%1").arg(total % 60, 2, 10, QLatin1Char('0'));
    if (hours == 0) return QString::number(minutes) + tail;
    return QStringLiteral("%1:%2").arg(hours).arg(minutes, 2, 10, QLatin1Char('0')) + tail;
}

QString ageText(std::int64_t wallMs, std::int64_t nowMs) {
    if (wallMs <= 0) return kNoValue;
    const qint64 seconds = std::max<qint64>(0, (nowMs - wallMs) / 1000);
    if (seconds < 60) return FormatWords::tr("%1 s").arg(seconds);
    if (seconds < 3600) return FormatWords::tr("%1 min").arg(seconds / 60);
    if (seconds < 20 * 3600) return FormatWords::tr("%1 h").arg(seconds / 3600);
    const QDateTime then = QDateTime::fromMSecsSinceEpoch(wallMs);
    return QLocale().toString(then, seconds < 6 * 86400 ? QStringLiteral("ddd") : FormatWords::tr("d MMM"));
}

int ageTickMs(std::int64_t newestMs, std::int64_t nowMs) {
    const std::int64_t age = nowMs - newestMs;
    return age < 60'000 ? 1'000 : age < 3'600'000 ? 20'000 : 300'000;
}

QString leftText(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) return {};
    if (seconds < 60) return FormatWords::tr("%1 s left").arg(std::ceil(seconds));
    if (seconds < 3600) return FormatWords::tr("%1 min left").arg(std::round(seconds / 60));
    return FormatWords::tr("%1 h left").arg(fixedText(seconds / 3600, seconds < 36'000 ? 1 : 0));
}

QString bytesText(double bytes) {
    if (!std::isfinite(bytes) || bytes < 0) return kNoValue;
    static const char* const units[] = {"B", "kB", "MB", "GB", "TB"};
    int unit = 0;
    while (bytes >= 999.5 && unit < 4) {
        bytes /= 1000;
        ++unit;
    }
    const int decimals = unit == 0 || bytes >= 100 ? 0 : 1;
    return QLocale().toString(bytes, 'f', decimals) + QLatin1Char(' ') + QLatin1String(units[unit]);
}

QString usedText(std::int64_t usedBytes, std::int64_t totalBytes) {
    return QStringLiteral("%1 / %2 GB")
        .arg(fixedText(static_cast<double>(usedBytes) / 1e9, 1), fixedText(static_cast<double>(totalBytes) / 1e9, 0));
}

QString countText(double count) {
    if (!std::isfinite(count)) return kNoValue;
    return QLocale().toString(count, 'f', 0);
}

QString percentText(double share, int decimals) { return percentText(fixedText(100 * share, decimals)); }

QString percentText(const QString& number) { return FormatWords::tr("%1%").arg(number); }

QString localText(const QString& text) {
    const QString sign = QLocale().decimalPoint();
    if (sign == QLatin1String(".") || !text.contains(QLatin1Char('.'))) return text;
    // A point between digits that belongs to no word, path or version.
    static const QRegularExpression point(QStringLiteral(R"((?<![\w./-])([+-]?\d+)\.(\d+(?:e[+-]?\d+)?)(?![\w./-]))"));
    QString local = text;
    return local.replace(point, QStringLiteral("\\1") + sign + QStringLiteral("\\2"));
}

QString plainNumber(const QString& typed) {
    static const QRegularExpression form(QStringLiteral(R"(^([+-]?)([\d.,]*?)(?:([.,])(\d*))?([eE][+-]?\d+)?$)"));
    const QString text = typed.trimmed();
    const auto parts = form.match(text);
    if (!text.contains(QLatin1Char(',')) || !parts.hasMatch()) return text;
    const QString before = parts.captured(2), sign = parts.captured(3), after = parts.captured(4);
    const QChar other = sign == QLatin1String(",") ? QLatin1Char('.') : QLatin1Char(',');
    static const QRegularExpression groups(QStringLiteral(R"(^\d{1,3}([.,]\d{3})*$|^\d*$)"));
    if (before.contains(sign.front()) || !groups.match(before).hasMatch()) return text;
    const bool mayBeThousands = after.size() == 3 && !before.isEmpty() && before != QLatin1String("0") &&
                                !before.contains(other) && QLocale().decimalPoint() != sign;
    if (mayBeThousands) return text;
    return parts.captured(1) + QString(before).remove(other) + QLatin1Char('.') + after + parts.captured(5);
}

QString plainWhole(const QString& typed) {
    // One sign throughout, between groups of three.
    static const QRegularExpression form(QString::fromUtf8("^[+-]?\\d{1,3}([.,'’ \u00A0\u202F])\\d{3}(\\1\\d{3})*$"));
    QString text = typed.trimmed();
    const auto found = form.match(text);
    return found.hasMatch() ? text.remove(found.captured(1)) : text;
}

QString fixedText(double value, int decimals) { return localText(QString::number(value, 'f', decimals)); }

QString digitsText(double value, int digits) { return localText(QString::number(value, 'g', digits)); }

QString metricText(double value) {
    if (!std::isfinite(value))
        return std::isnan(value) ? kNoValue : (value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞"));
    const double size = std::abs(value);
    if (size >= 1e9) return localText(QString::number(value, 'e', 2));
    if (size >= 1e6) return fixedText(value / 1e6, 1) + QLatin1Char('M');
    if (size >= 1e4) return fixedText(value / 1e3, 1) + QLatin1Char('k');
    if (size >= 1000) return countText(value);
    if (size >= 100) return fixedText(value, 1);
    if (size >= 10) return fixedText(value, 2);
    if (size >= 1e-3 || size == 0) return fixedText(value, 4);
    return localText(QString::number(value, 'e', 1));
}

QString exactText(double value) { return localText(csvNumber(value)); }

QString csvNumber(double value) { return QString::number(value, 'g', QLocale::FloatingPointShortest); }

QString clockText(std::int64_t wallMs) {
    if (wallMs <= 0) return kNoValue;
    const QDateTime then = QDateTime::fromMSecsSinceEpoch(wallMs);
    const bool today = then.date() == QDate::currentDate();
    return QLocale().toString(then, today ? QStringLiteral("HH:mm:ss") : FormatWords::tr("d MMM HH:mm"));
}

QString ordinalText(int number) {
    const int unit = number / 10 % 10 == 1 ? 0 : number % 10; // 11th, 12th, 13th
    const QString form = unit == 1   ? FormatWords::tr("%1st")
                         : unit == 2 ? FormatWords::tr("%1nd")
                         : unit == 3 ? FormatWords::tr("%1rd")
                                     : FormatWords::tr("%1th");
    return form.arg(number);
}

QString sentence(QString text) {
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    return text;
}

namespace {

struct SeriesWords {
    Q_DECLARE_TR_FUNCTIONS(SeriesWords)
};

struct Named {
    const char *name, *words;
};

constexpr Named kWhole[] = {{"samples", QT_TRANSLATE_NOOP("SeriesWords", "samples")},
                            {"samples_per_s", QT_TRANSLATE_NOOP("SeriesWords", "samples/s")},
                            {"grad_norm", QT_TRANSLATE_NOOP("SeriesWords", "gradient norm")},
                            {"lr", QT_TRANSLATE_NOOP("SeriesWords", "learning rate")},
                            {"learning_rate", QT_TRANSLATE_NOOP("SeriesWords", "learning rate")},
                            {"epoch", QT_TRANSLATE_NOOP("SeriesWords", "epoch")},
                            {"time/step", QT_TRANSLATE_NOOP("SeriesWords", "time per step")},
                            {"time/data", QT_TRANSLATE_NOOP("SeriesWords", "time for data")},
                            {"time/comm", QT_TRANSLATE_NOOP("SeriesWords", "time for communication")},
                            {"time/forward", QT_TRANSLATE_NOOP("SeriesWords", "time for forward pass")},
                            {"time/backward", QT_TRANSLATE_NOOP("SeriesWords", "time for backward pass")},
                            {"time/optimizer", QT_TRANSLATE_NOOP("SeriesWords", "time for optimizer")}};

constexpr Named kMetrics[] = {{"loss", QT_TRANSLATE_NOOP("SeriesWords", "loss")},
                              {"accuracy", QT_TRANSLATE_NOOP("SeriesWords", "accuracy")},
                              {"acc", QT_TRANSLATE_NOOP("SeriesWords", "accuracy")},
                              {"accuracyLow", QT_TRANSLATE_NOOP("SeriesWords", "accuracy, at least")},
                              {"accuracyHigh", QT_TRANSLATE_NOOP("SeriesWords", "accuracy, at most")},
                              {"map", QT_TRANSLATE_NOOP("SeriesWords", "mean average precision")},
                              {"microF1", QT_TRANSLATE_NOOP("SeriesWords", "micro F1")},
                              {"top5", QT_TRANSLATE_NOOP("SeriesWords", "top-5 accuracy")},
                              {"precision", QT_TRANSLATE_NOOP("SeriesWords", "precision")},
                              {"recall", QT_TRANSLATE_NOOP("SeriesWords", "recall")},
                              {"f1", "F1"},
                              {"balancedAccuracy", QT_TRANSLATE_NOOP("SeriesWords", "balanced accuracy")},
                              {"auc", "AUC"},
                              {"prAuc", "PR-AUC"},
                              {"kappa", QT_TRANSLATE_NOOP("SeriesWords", "Cohen’s kappa")},
                              {"mcc", "MCC"},
                              {"brier", QT_TRANSLATE_NOOP("SeriesWords", "Brier score")},
                              {"ece", QT_TRANSLATE_NOOP("SeriesWords", "calibration error")},
                              {"rmse", "RMSE"},
                              {"mse", "MSE"},
                              {"mae", "MAE"},
                              {"r2", "R²"},
                              {"perplexity", QT_TRANSLATE_NOOP("SeriesWords", "perplexity")},
                              {"ppl", QT_TRANSLATE_NOOP("SeriesWords", "perplexity")}};

// %1: a metric.
constexpr Named kData[] = {
    {"train", QT_TRANSLATE_NOOP("SeriesWords", "train %1")}, {"val", QT_TRANSLATE_NOOP("SeriesWords", "val %1")},
    {"valid", QT_TRANSLATE_NOOP("SeriesWords", "val %1")},   {"validation", QT_TRANSLATE_NOOP("SeriesWords", "val %1")},
    {"eval", QT_TRANSLATE_NOOP("SeriesWords", "eval %1")},   {"test", QT_TRANSLATE_NOOP("SeriesWords", "test %1")}};

// Of a rank or a host.
const Named kSystem[] = {
    {run::kCpuPercent.data(), QT_TRANSLATE_NOOP("SeriesWords", "CPU (%)")},
    {run::kMemoryMb.data(), QT_TRANSLATE_NOOP("SeriesWords", "memory (MB)")},
    {run::kGpuPercent.data(), QT_TRANSLATE_NOOP("SeriesWords", "GPU (%)")},
    {run::kGpuMemoryMb.data(), QT_TRANSLATE_NOOP("SeriesWords", "GPU memory (MB)")},
    {run::kData.data(), QT_TRANSLATE_NOOP("SeriesWords", "share of time for data")},
    {run::kCompute.data(), QT_TRANSLATE_NOOP("SeriesWords", "share of time for computing")},
    {run::kCommunication.data(), QT_TRANSLATE_NOOP("SeriesWords", "share of time for communication")},
    {run::kWait.data(), QT_TRANSLATE_NOOP("SeriesWords", "share of time waiting")},
    {run::kNetworkIn.data(), QT_TRANSLATE_NOOP("SeriesWords", "network in (MB/s)")},
    {run::kNetworkOut.data(), QT_TRANSLATE_NOOP("SeriesWords", "network out (MB/s)")}};

template <std::size_t N>
QString wordsOf(const Named (&table)[N], const QString& name) {
    for (const Named& each : table)
        if (name.compare(QLatin1String(each.name), Qt::CaseInsensitive) == 0) return SeriesWords::tr(each.words);
    return {};
}

// "system/rank0/cpu_percent", "system/host/lab-1/memory_mb".
QString systemText(const QString& series) {
    static const QRegularExpression rank(QStringLiteral("^system/rank(\\d+)/(\\w+)$")),
        host(QStringLiteral("^system/host/(.+)/(\\w+)$"));
    if (const auto found = rank.match(series); found.hasMatch())
        if (const QString what = wordsOf(kSystem, found.captured(2)); !what.isEmpty())
            return SeriesWords::tr("rank %1: %2").arg(found.captured(1), what);
    if (const auto found = host.match(series); found.hasMatch())
        if (const QString what = wordsOf(kSystem, found.captured(2)); !what.isEmpty())
            return found.captured(1) == QLatin1String("localhost")
                       ? SeriesWords::tr("this computer: %1").arg(what)
                       : SeriesWords::tr("%1: %2").arg(found.captured(1), what);
    return {};
}

QString sourceText(program::SourceKind kind) {
    switch (kind) {
    case program::SourceKind::MetricsFile: return SeriesWords::tr("metrics file");
    case program::SourceKind::EventFiles: return SeriesWords::tr("TensorBoard");
    case program::SourceKind::Wandb: return QStringLiteral("W&B");
    case program::SourceKind::Mlflow: return QStringLiteral("MLflow");
    case program::SourceKind::JsonLog: return SeriesWords::tr("JSON log");
    case program::SourceKind::Table: return SeriesWords::tr("CSV table");
    case program::SourceKind::Printed: return SeriesWords::tr("printed");
    }
    return {};
}

// Nothing for a name that a program made up.
QString knownWords(const QString& series) {
    if (QString words = wordsOf(kWhole, series); !words.isEmpty()) return words;
    if (run::isSystemSeries(series.toStdString())) return systemText(series);
    if (const auto source = run::sourceOf(series.toStdString()))
        return QStringLiteral("%1 (%2)").arg(seriesText(QString::fromStdString(source->name)),
                                             sourceText(source->kind));
    static const QRegularExpression parts(QStringLiteral("^([a-z]+)[/_]([a-z0-9]+)$"));
    const auto found = parts.match(series.toLower());
    if (!found.hasMatch()) return wordsOf(kMetrics, series);
    const QString data = wordsOf(kData, found.captured(1)), metric = wordsOf(kMetrics, found.captured(2));
    return data.isEmpty() || metric.isEmpty() ? QString() : data.arg(metric);
}

} // namespace

QString seriesText(const QString& series) {
    const QString words = knownWords(series);
    return words.isEmpty() ? series : words;
}

QString seriesTitle(const QString& series) {
    const QString words = knownWords(series);
    return words.isEmpty() ? series : sentence(words);
}

int seriesPlace(const QString& series) {
    if (series.startsWith(QLatin1String("time/"))) return 3;
    for (const Named& each : kWhole)
        if (series == QLatin1String(each.name)) return 2;
    static const QRegularExpression first(QStringLiteral("^(\\w+[/_])?(loss|acc|accuracy)$"),
                                          QRegularExpression::CaseInsensitiveOption);
    return first.match(series).hasMatch() ? 0 : 1;
}

QString seriesTitle(const QStringList& series) {
    QStringList titles;
    for (const QString& each : series) titles << seriesTitle(each);
    return titles.join(QStringLiteral(" + "));
}

} // namespace trainyard::ui
