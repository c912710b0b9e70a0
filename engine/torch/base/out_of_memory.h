// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <new>
#include <string>

namespace trainyard::train {

// The system gives no memory for a tensor or a kernel. `need` is how much, or for what; the text says the rest too, as
// TorchScript's interpreter hands on nothing but that.
class OutOfMemory : public std::bad_alloc {
public:
    explicit OutOfMemory(const std::string& need) : m_text("not enough memory: " + need) {}
    const char* what() const noexcept override { return m_text.c_str(); }

private:
    std::string m_text;
};

} // namespace trainyard::train
