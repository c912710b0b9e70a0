// SPDX-License-Identifier: GPL-3.0-or-later
// Stand-in for a header that gloo/transport/tcp/pair.h includes and Debian 12's libgloo-dev does not ship. What this
// project reads of a pair lies before the members of these types, and it never makes one.
#pragma once

#include <memory>

namespace gloo {

template <class T>
class NonOwningPtr;

template <class T>
class WeakNonOwningPtr {
    std::weak_ptr<T> m_pointer;
};

} // namespace gloo
