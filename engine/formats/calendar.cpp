// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/calendar.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace trainyard::formats {

namespace {

constexpr double kDay = 86400;

// What is left of a text that is read from its beginning.
class Scanner {
public:
    explicit Scanner(std::string_view text) : m_rest(text) {}

    bool atEnd() const { return m_rest.empty(); }
    char peek() const { return m_rest.empty() ? '\0' : m_rest.front(); }
    bool take(char wanted) {
        if (peek() != wanted || atEnd()) return false;
        m_rest.remove_prefix(1);
        return true;
    }
    // A number of that many digits; -1: there is none.
    int number(std::size_t least, std::size_t most) {
        std::size_t digits = 0;
        int number = 0;
        while (digits < m_rest.size() && m_rest[digits] >= '0' && m_rest[digits] <= '9') {
            if (++digits > most) return -1;
            number = 10 * number + (m_rest[digits - 1] - '0');
        }
        if (digits < least) return -1;
        m_rest.remove_prefix(digits);
        return number;
    }
    // Of a second, behind its point.
    double fraction() {
        double value = 0, digit = 0.1;
        for (; peek() >= '0' && peek() <= '9'; m_rest.remove_prefix(1), digit /= 10) value += digit * (peek() - '0');
        return value;
    }

private:
    std::string_view m_rest;
};

bool readDay(int year, int month, int day, Moment& moment) {
    using namespace std::chrono;
    if (year < 0 || month < 1 || day < 1) return false;
    const year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                              std::chrono::day(static_cast<unsigned>(day))};
    if (!date.ok()) return false;
    moment.seconds = kDay * static_cast<double>(sys_days(date).time_since_epoch().count());
    moment.hasDate = true;
    return true;
}

bool readDate(Scanner& text, Moment& moment) {
    Scanner other = text;
    const int year = text.number(4, 4);
    if (const char between = text.peek(); year >= 0 && (between == '-' || between == '/' || between == '.')) {
        text.take(between);
        const int month = text.number(1, 2);
        return text.take(between) && readDay(year, month, text.number(1, 2), moment);
    }
    const int day = other.number(1, 2);
    if (day < 0 || !other.take('.')) return false;
    const int month = other.number(1, 2);
    const bool read = other.take('.') && readDay(other.number(4, 4), month, day, moment);
    text = other;
    return read;
}

bool readZone(Scanner& text, Moment& moment) {
    if (text.take('Z')) return true;
    const bool behind = text.peek() == '-';
    if (!text.take('+') && !text.take('-')) return true;
    const int hours = text.number(2, 2);
    text.take(':');
    const int minutes = text.atEnd() ? 0 : text.number(2, 2);
    if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return false;
    moment.seconds -= (behind ? -1 : 1) * (3600.0 * hours + 60.0 * minutes);
    return true;
}

bool readTime(Scanner& text, Moment& moment) {
    const int hour = text.number(1, 2);
    if (hour < 0 || hour > 23 || !text.take(':')) return false;
    const int minute = text.number(2, 2);
    if (minute < 0 || minute > 59) return false;
    double second = 0;
    if (text.take(':')) {
        const int whole = text.number(2, 2);
        if (whole < 0 || whole > 59) return false;
        second = whole;
        if (text.take('.') || text.take(',')) second += text.fraction();
    }
    moment.seconds += 3600.0 * hour + 60.0 * minute + second;
    moment.hasTime = true;
    return true;
}

} // namespace

std::optional<Moment> momentOf(std::string_view text) {
    constexpr std::size_t kShortest = 4, kLongest = 40; // "1:05"
    if (text.size() < kShortest || text.size() > kLongest || text[0] < '0' || text[0] > '9') return std::nullopt;
    Moment moment;
    Scanner whole(text);
    if (!readDate(whole, moment)) {
        moment = {};
        whole = Scanner(text);
        return readTime(whole, moment) && whole.atEnd() ? std::optional(moment) : std::nullopt;
    }
    if (whole.atEnd()) return moment;
    if (!whole.take('T') && !whole.take(' ')) return std::nullopt;
    if (!readTime(whole, moment)) return std::nullopt;
    return readZone(whole, moment) && whole.atEnd() ? std::optional(moment) : std::nullopt;
}

std::string isoTime(double seconds) {
    using namespace std::chrono;
    constexpr double kMost = 2.5e11; // the year 9892
    if (!(std::abs(seconds) < kMost)) return "out of range";
    const double days = std::floor(seconds / kDay);
    const year_month_day date{sys_days(std::chrono::days(static_cast<int>(days)))};
    const auto micro =
        std::min(static_cast<long long>(std::floor((seconds - days * kDay) * 1e6 + 0.5)), 86400LL * 1'000'000 - 1);
    const long long whole = micro / 1'000'000, fraction = micro % 1'000'000;
    std::array<char, 64> text{};
    int used = std::snprintf(text.data(), text.size(), "%04d-%02u-%02u", static_cast<int>(date.year()),
                             static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
    const auto append = [&](const char* format, auto... numbers) {
        used += std::snprintf(text.data() + used, text.size() - static_cast<std::size_t>(used), format, numbers...);
    };
    if (micro != 0) append("T%02lld:%02lld:%02lld", whole / 3600, whole / 60 % 60, whole % 60);
    if (fraction != 0) append(".%06lld", fraction);
    return text.data();
}

std::vector<std::string> partsOf(bool hasDate, bool hasTime) {
    std::vector<std::string> parts;
    if (hasDate) parts = {"year", "month", "day", "weekday"};
    if (hasTime) parts.emplace_back("hour");
    parts.emplace_back("seconds");
    return parts;
}

double partOf(double seconds, std::string_view part) {
    using namespace std::chrono;
    if (part == "seconds" || std::isnan(seconds)) return seconds;
    const double days = std::floor(seconds / kDay);
    if (part == "hour") return std::floor((seconds - days * kDay) / 3600);
    const sys_days day{std::chrono::days(static_cast<int>(days))};
    const year_month_day date(day);
    if (part == "year") return static_cast<int>(date.year());
    if (part == "month") return static_cast<unsigned>(date.month());
    if (part == "day") return static_cast<unsigned>(date.day());
    return weekday(day).iso_encoding();
}

} // namespace trainyard::formats
