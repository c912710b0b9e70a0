// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <new>
#include <string>

namespace trainyard::train {

// Bytes that this process may still take: the least of what is free on this computer, what its control group leaves and
// what its limit of address space (ulimit -v) leaves. Infinity when nothing is known.
double availableMemory();

// The system gives no memory for a tensor or a kernel. `need` is how much, or for what; the text says the rest too,
// what is left among it, as TorchScript's interpreter hands on nothing but that.
class OutOfMemory : public std::bad_alloc {
public:
    explicit OutOfMemory(const std::string& need);
    const char* what() const noexcept override { return m_text.c_str(); }

private:
    std::string m_text;
};

} // namespace trainyard::train
