// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/new_run/preview.h"
#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

#include <QTimer>

class QGridLayout;

namespace trainyard::ui {

class Card;
class HomeTile;
class RecentRuns;

// The page the window opens with: one key to a live curve, and the latest work.
class HomePage : public Surface {
    Q_OBJECT
public:
    // `pageKeys`: "Ctrl 1 … 6", the keys of the pages, for the hints at the end.
    HomePage(Workbench& bench, const QString& pageKeys, QWidget* parent = nullptr);
    // Starts the first run; Enter does the same.
    void startFirstRun();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void buildTiles();
    void placeTiles();
    void showCatalog();
    void showRecent();
    void showRecentSoon();

    Workbench& m_bench;
    QString m_pageKeys;
    PreviewProcess m_preview;
    QWidget* m_column;
    QVBoxLayout* m_layout;
    QGridLayout* m_tiles;
    int m_tileColumns = 0;
    Label *m_title, *m_intro;
    HomeTile *m_first, *m_script, *m_images, *m_sweep;
    RecentRuns* m_recent;
    QTimer m_recentLater;
    bool m_recentShown = false;
    bool m_starting = false; // a second Enter while a run is starting does nothing
};

} // namespace trainyard::ui
