// SPDX-License-Identifier: GPL-3.0-or-later
// The component gallery: every component in every state, in the theme that TRAINYARD_THEME names.
#include "ui/gallery/component_sheet.h"
#include "ui/theme/theme_controller.h"

#include <QApplication>

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    trainyard::ui::ThemeController::instance().install(app);
    trainyard::ui::ComponentSheet sheet;
    sheet.show();
    return app.exec();
}
