// SPDX-License-Identifier: GPL-3.0-or-later
// Mapped files whose pages are brought into memory before they are touched, and only those.
#pragma once

#include <cstddef>

namespace trainyard::data {

// The pages with these bytes of a mapped file are read soon: the disk begins now. Costs nothing where they are there.
void bringNear(const void* bytes, std::size_t size);

// Of a mapped file nothing is read but what is touched, or brought near: what lies around it would push out what is
// wanted.
void bringNothingElse(const void* bytes, std::size_t size);

} // namespace trainyard::data
