// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::train {

// Asks the kernel (Linux 6.12 and later; without effect elsewhere) for short time slices for the calling thread and
// those that it makes. A rank that wakes up then takes its core back at once from a program that computes without
// rest, which else keeps it for some ms, while every other rank waits for this one. Its share of the core stays as it
// is, and so does its niceness.
void askForShortSlices();

} // namespace trainyard::train
