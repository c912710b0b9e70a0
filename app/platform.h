// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>

namespace trainyard {

// What is known of the session before Qt starts.
struct PlatformWish {
    std::string asked{};     // "wayland", "offscreen:size=1x1", several with ";"; empty: Qt chooses
    bool byOption = false;   // asked by -platform, which goes before QT_QPA_PLATFORM
    bool x11 = false;        // there is a DISPLAY
    bool wayland = false;    // there is a WAYLAND_DISPLAY
    bool windowless = false; // help, a picture or a report is asked for
};

// By which of Qt's platforms the program is shown. Qt itself would abort where it has none.
struct PlatformChoice {
    bool refused = false; // there can be no window
    std::string platform; // for QT_QPA_PLATFORM; empty: nothing has to be said to Qt
    std::string why;      // a sentence for people: why it is refused, or another one than was asked for
    bool operator==(const PlatformChoice&) const = default;
};

// Rule: which of Qt's platforms shows the window, and what is said where there is none.
// `installed`: whether Qt has the plug-in of a platform. X11 replaces an unavailable platform if there is a DISPLAY.
PlatformChoice choosePlatform(const PlatformWish& wish, const std::function<bool(const std::string&)>& installed);

// Reads the session and the command line.
PlatformWish platformWish(int argc, char** argv);
// Whether Qt has a plug-in of that name, which is looked up without loading one.
bool isPlatformInstalled(const std::string& name);
// From now until letQtSpeak(), what makes Qt abort ends the program with one line and an environment error's exit code.
void silenceQt();
void letQtSpeak();

} // namespace trainyard
