// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/load_segments.h"

#include "ui/models/text/format.h"
#include "ui/shell/status_strip.h"

namespace trainyard::ui {

namespace {

QString rateText(double bytesPerSecond) {
    return QStringLiteral("%1 MB/s").arg(fixedText(bytesPerSecond / 1e6, bytesPerSecond < 1e8 ? 1 : 0));
}

} // namespace

LoadSegments::LoadSegments(QWidget* parent) : QWidget(parent) {
    m_cpu = new StatusSegment(QStringLiteral("cpu"), true);
    m_memory = new StatusSegment(QStringLiteral("memory"), false);
    m_gpu = new StatusSegment(QStringLiteral("gpu"), true);
    m_network = new StatusSegment(QStringLiteral("network"), false);
    m_disk = new StatusSegment(QStringLiteral("disk"), false);
    auto* layout = row(this);
    for (auto* segment : {m_cpu, m_memory, m_gpu, m_network, m_disk}) {
        segment->setSeparated(true);
        layout->addWidget(segment);
        connect(segment, &QAbstractButton::clicked, this, &LoadSegments::pressed);
    }
    m_memory->setToolTip(tr("Memory in use on this computer"));
    m_network->setToolTip(tr("Data that this computer receives and sends, over all network interfaces"));
    m_gpu->hide();
    m_network->hide();
}

void LoadSegments::setLoad(const SystemLoad& load, const QColor& color, bool network) {
    m_cpu->setContent(tr("CPU %1%").arg(load.cpuShare * 100, 0, 'f', 0), load.cpuShare, color);
    m_memory->setContent(usedText(load.memoryUsed, load.memoryTotal));
    showGpus(load.gpus, color);
    m_network->setContent(
        network ? QStringLiteral("↓ %1  ↑ %2").arg(rateText(load.receivedPerSecond), rateText(load.sentPerSecond))
                : QString());
    const QString free = tr("%1 free").arg(bytesText(static_cast<double>(load.diskFree)));
    m_disk->setContent(load.isDiskFull() ? tr("%1: the disk is full").arg(free) : free);
    m_disk->setAlarming(load.isDiskFull());
    fit();
}

// All GPUs in one segment: mean load and total memory; the tooltip lists each.
void LoadSegments::showGpus(const std::map<int, GpuLoad>& gpus, const QColor& color) {
    if (gpus.empty()) return m_gpu->setContent({});
    GpuLoad all;
    QStringList each;
    for (const auto& [device, gpu] : gpus) {
        all.busyShare += gpu.busyShare / static_cast<double>(gpus.size());
        all.memoryUsed += gpu.memoryUsed;
        all.memoryTotal += gpu.memoryTotal;
        each << QStringLiteral("cuda:%1  %2%  %3")
                    .arg(device)
                    .arg(gpu.busyShare * 100, 0, 'f', 0)
                    .arg(usedText(gpu.memoryUsed, gpu.memoryTotal));
    }
    m_gpu->setToolTip(each.join(QLatin1Char('\n')));
    m_gpu->setContent(
        tr("GPU %1%  %2").arg(all.busyShare * 100, 0, 'f', 0).arg(usedText(all.memoryUsed, all.memoryTotal)),
        all.busyShare, color);
}

void LoadSegments::setRoom(int width) {
    m_room = width;
    fit();
}

void LoadSegments::fit() {
    int wide = 0;
    for (auto* segment : {m_disk, m_cpu, m_gpu, m_memory, m_network}) {
        if (segment->accessibleName().isEmpty()) continue;
        wide += segment->sizeHint().width();
        segment->setVisible(wide <= m_room || segment == m_disk);
    }
}

} // namespace trainyard::ui
