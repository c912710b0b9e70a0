// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes as a file of points, of a parameter and, below the line that makes it a run, of facts.
#include "engine/imports/mlflow_folder.h"
#include "tests/fuzz/imported.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

using namespace trainyard::imports;
namespace fs = std::filesystem;

namespace {

// Of this process; in memory where that is possible.
class RunFolder {
public:
    RunFolder() {
        std::error_code ignored;
        const char* base = fs::is_directory("/dev/shm", ignored) ? "/dev/shm" : "/tmp";
        m_path = fs::path(base) / ("fuzz-mlflow-" + std::to_string(::getpid()));
        fs::create_directories(m_path / "metrics");
        fs::create_directories(m_path / "params");
    }
    ~RunFolder() {
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
    }
    RunFolder(const RunFolder&) = delete;
    RunFolder& operator=(const RunFolder&) = delete;

    void write(const char* file, const std::string& text) const {
        std::ofstream(m_path / file, std::ios::binary | std::ios::trunc) << text;
    }
    const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const RunFolder folder;
    const std::string text(reinterpret_cast<const char*>(data), size);
    folder.write("meta.yaml", "run_id: a\n" + text);
    folder.write("metrics/loss", text);
    folder.write("params/lr", text);
    (void)mlflowFolderKind(folder.path());
    const auto run = readMlflowFolder(folder.path());
    if (run.ok()) requireSound(*run);
    else requireExplained(run.error());
    return 0;
}
