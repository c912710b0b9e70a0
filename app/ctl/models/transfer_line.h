// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace trainyard::ctl {

// How far a transfer is, on stderr: one line that is drawn over on a terminal, else one line now and then; as JSON an
// object a line, {"file", "bytes", "total"}.
class TransferLine {
public:
    enum class Style { Text, Json, Silent };
    explicit TransferLine(Style style);
    ~TransferLine() { end(); }
    TransferLine(const TransferLine&) = delete;
    TransferLine& operator=(const TransferLine&) = delete;

    // Bytes; of what is called `name`, which begins a line of its own.
    void update(const std::string& name, std::int64_t bytes, std::int64_t total);
    // What is printed next has a line of its own.
    void end();

private:
    void print(std::int64_t bytes, std::int64_t total, double bytesPerSecond);

    Style m_style;
    bool m_terminal, m_open = false;
    std::string m_name;
    double m_begun = 0, m_drawn = 0;
    std::int64_t m_before = 0, m_last = -1;
};

} // namespace trainyard::ctl
