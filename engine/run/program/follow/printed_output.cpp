// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/follow/printed_output.h"

#include <cmath>
#include <system_error>

namespace trainyard::run {
namespace {

constexpr std::size_t kLongestLine = 64 << 10;
constexpr std::size_t kTail = 16 << 10;
constexpr std::int64_t kLoggedPerSecond = 500; // lines
constexpr std::int64_t kReadAtOnce = 4 << 20;  // bytes, before others are served

std::int64_t sizeOf(const std::filesystem::path& file) {
    std::error_code failure;
    const auto size = std::filesystem::file_size(file, failure);
    return failure ? 0 : static_cast<std::int64_t>(size);
}

} // namespace

PrintedOutput::PrintedOutput(const std::filesystem::path& file) : m_file(file, sizeOf(file)), m_lines(kLongestLine) {}

bool PrintedOutput::look(double now, const Told& told, const std::function<void(std::string_view)>& log) {
    if (const double second = std::floor(now); second != m_second) {
        if (m_leftOut > 0)
            log("… " + std::to_string(m_leftOut) + " more lines in this second: all are in " + m_file.path().string());
        m_second = second;
        m_logged = m_leftOut = 0;
    }
    const auto take = [&](const program::GrownLine& line) { this->take(line, told, log); };
    const auto looked = m_file.look(
        [&](std::string_view bytes) {
            m_tail.append(bytes);
            if (m_tail.size() > 2 * kTail) m_tail.erase(0, m_tail.size() - kTail);
            m_lines.add(bytes, take);
        },
        kReadAtOnce);
    m_lines.rest(take);
    return looked && looked->more;
}

void PrintedOutput::end(const Told& told, const std::function<void(std::string_view)>& log) {
    m_lines.end([&](const program::GrownLine& line) { take(line, told, log); });
    if (m_leftOut > 0) log("… " + std::to_string(m_leftOut) + " more lines: all are in " + m_file.path().string());
    m_leftOut = 0;
}

void PrintedOutput::take(const program::GrownLine& line, const Told& told,
                         const std::function<void(std::string_view)>& log) {
    if (!line.text.empty() && line.text.find_first_not_of('\0') == line.text.npos) return; // OutputCap was here
    told(line);
    if (++m_logged <= kLoggedPerSecond) log(line.text);
    else ++m_leftOut;
}

} // namespace trainyard::run
