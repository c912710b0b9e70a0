// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/test_main.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

namespace trainyard::test {
namespace {

std::map<std::string, Main>& registeredMains() {
    static std::map<std::string, Main> mains;
    return mains;
}

// A test that starts itself again does so by /proc/self/exe, which is the program and not its link.
constexpr const char* kVariable = "TRAINYARD_TEST";

} // namespace

RegisteredMain::RegisteredMain(const char* source, Main main) {
    registeredMains().emplace(std::filesystem::path(source).stem().string(), main);
}

} // namespace trainyard::test

int main(int argc, char** argv) {
    using namespace trainyard::test;
    const auto& mains = registeredMains();
    auto found = mains.find(std::filesystem::path(argv[0]).filename().string());
    if (const char* name = std::getenv(kVariable); found == mains.end() && name != nullptr) found = mains.find(name);
    if (found == mains.end()) {
        std::fputs("Start one of these by the link of its name, or with its name in TRAINYARD_TEST:\n", stderr);
        for (const auto& [name, ignored] : mains) std::fprintf(stderr, "  %s\n", name.c_str());
        return 2;
    }
    ::setenv(kVariable, found->first.c_str(), 1);
    return found->second(argc, argv);
}
