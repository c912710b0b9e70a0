// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/supervise/failures/rank_record.h"

#include <deque>
#include <filesystem>
#include <fstream>

namespace trainyard::run {

// One rank with its process: the frames to and from it, and what it printed. Never blocks.
class WorkerLink : public RankRecord {
public:
    WorkerLink(Placement ofRank, std::unique_ptr<WorkerProcess> process, const std::filesystem::path& logFile,
               double now);

    void moveTo(const Placement& next) { // another number in a smaller group
        placement = next;
        state.rank = placement.rank;
    }
    WorkerProcess& process() { return *m_process; }

    // Reads what is there and gives whole messages; an error means that the channel is beyond repair.
    Result<std::vector<wire::Message>> receive(double now);
    // Takes what the worker printed; whole lines, escaped, also written to its log file.
    std::vector<std::string> readLog();
    bool logClosed() const { return m_logClosed; }
    const std::deque<std::string>& lastLines() const { return m_tail; } // at most 20

    void send(const wire::Message& message); // queued; what cannot be sent now goes out with flush()
    void flush();
    bool hasUnsent() const { return m_sent < m_outgoing.size() && !closed; }

private:
    void splitLogLines(std::string_view bytes, std::vector<std::string>& lines);
    void closeLine(std::vector<std::string>& lines);
    void writeToFile(const std::string& line);

    std::unique_ptr<WorkerProcess> m_process;
    wire::Decoder m_decoder;
    std::vector<std::byte> m_outgoing;
    std::size_t m_sent = 0;
    bool m_logClosed = false;
    std::string m_line;
    std::deque<std::string> m_tail;
    std::filesystem::path m_logPath;
    std::ofstream m_logFile; // opened for the first line
};

} // namespace trainyard::run
