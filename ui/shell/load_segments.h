// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/desktop/system_stats.h"

#include <QColor>
#include <QWidget>

namespace trainyard::ui {

class StatusSegment;

// This computer's load in the status bar: processor, memory, disk, GPUs if it has any, and the network while a run
// needs it.
class LoadSegments : public QWidget {
    Q_OBJECT
public:
    explicit LoadSegments(QWidget* parent = nullptr);

    // `color`: of the run that causes the load; invalid: none. `network`: a run trains with other hosts.
    void setLoad(const SystemLoad& load, const QColor& color, bool network);
    // Hides the segments that do not fit into `width` pixels, the network first.
    void setRoom(int width);

Q_SIGNALS:
    void pressed();

private:
    void showGpus(const std::map<int, GpuLoad>& gpus, const QColor& color);
    void fit();

    StatusSegment *m_cpu, *m_memory, *m_gpu, *m_network, *m_disk;
    int m_room = 1 << 20;
};

} // namespace trainyard::ui
