// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/metrics/grown_file.h"
#include "engine/program/metrics/line_splitter.h"

#include <functional>
#include <string>
#include <string_view>

namespace trainyard::run {

// Follows what a program prints into its file, from where the file ends now. Of a flood the log gets a part, and the
// metrics are still read from every line.
class PrintedOutput {
public:
    using Told = std::function<void(const program::GrownLine&)>;

    explicit PrintedOutput(const std::filesystem::path& file);

    // What has come since the last look: each line to `told`, and those that the log has room for to `log`. True when
    // there is more.
    bool look(double now, const Told& told, const std::function<void(std::string_view)>& log);
    void end(const Told& told, const std::function<void(std::string_view)>& log); // nothing more comes
    std::string_view tail() const { return m_tail; } // the last of it, at least the last 16 KiB

private:
    void take(const program::GrownLine& line, const Told& told, const std::function<void(std::string_view)>& log);

    program::GrownFile m_file;
    program::LineSplitter m_lines;
    std::string m_tail;
    double m_second = 0;       // that the lines below are counted for
    std::int64_t m_logged = 0; // of this second
    std::int64_t m_leftOut = 0;
};

} // namespace trainyard::run
