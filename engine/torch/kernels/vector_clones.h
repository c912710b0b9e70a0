// SPDX-License-Identifier: GPL-3.0-or-later
// For loops on plain memory: one copy for each width of vectors.
#pragma once

// The widest copy that the processor has is chosen when the program is loaded. Not under the thread sanitizer, which is
// not ready when that happens.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_THREAD__)
#define TRAINYARD_VECTOR_CLONES __attribute__((target_clones("avx512f", "fma", "default")))
#else
#define TRAINYARD_VECTOR_CLONES
#endif
// No iteration of the loop that follows depends on another.
#if defined(__clang__)
#define TRAINYARD_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define TRAINYARD_INDEPENDENT _Pragma("GCC ivdep")
#endif
#define TRAINYARD_INLINE inline __attribute__((always_inline))
