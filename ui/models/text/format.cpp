// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/text/format.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

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
    return FormatWords::tr("%1 h left").arg(seconds / 3600, 0, 'f', seconds < 36'000 ? 1 : 0);
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
        .arg(static_cast<double>(usedBytes) / 1e9, 0, 'f', 1)
        .arg(static_cast<double>(totalBytes) / 1e9, 0, 'f', 0);
}

QString countText(double count) {
    if (!std::isfinite(count)) return kNoValue;
    return QLocale().toString(count, 'f', 0);
}

QString percentText(double share, int decimals) { return percentText(QString::number(100 * share, 'f', decimals)); }

QString percentText(const QString& number) { return FormatWords::tr("%1%").arg(number); }

QString metricText(double value) {
    if (!std::isfinite(value))
        return std::isnan(value) ? kNoValue : (value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞"));
    const double size = std::abs(value);
    if (size >= 1e9) return QString::number(value, 'e', 2);
    if (size >= 1e6) return QString::number(value / 1e6, 'f', 1) + QLatin1Char('M');
    if (size >= 1e4) return QString::number(value / 1e3, 'f', 1) + QLatin1Char('k');
    if (size >= 1000) return countText(value);
    if (size >= 100) return QString::number(value, 'f', 1);
    if (size >= 10) return QString::number(value, 'f', 2);
    if (size >= 1e-3 || size == 0) return QString::number(value, 'f', 4);
    return QString::number(value, 'e', 1);
}

QString exactText(double value) { return QString::number(value, 'g', QLocale::FloatingPointShortest); }

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

} // namespace trainyard::ui
