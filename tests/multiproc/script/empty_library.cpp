// SPDX-License-Identifier: GPL-3.0-or-later
// A shared library that is not a plug-in.
extern "C" __attribute__((visibility("default"))) int nothing_of_interest() { return 0; }
