// SPDX-License-Identifier: GPL-3.0-or-later
// A shared library that is not a plug-in, and needs FFmpeg where LibTorch is linked with it without a use of it.
#ifdef TRAINYARD_MEDIA
extern "C" unsigned avutil_version();
#else
static unsigned avutil_version() { return 1; }
#endif
extern "C" __attribute__((visibility("default"))) unsigned version_of_media() { return avutil_version(); }
