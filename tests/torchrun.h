// SPDX-License-Identifier: GPL-3.0-or-later
// torchrun as a peer of program runs.
#pragma once

#include <QProcess>

namespace trainyard::test {

// What ranks of torchrun need where PyTorch was built without libuv, as Debian 13's: a store that rank 0 opens, in the
// way of earlier releases. Others train the same with it.
inline void letTorchrunMeet(QProcessEnvironment& environment) {
    environment.insert("USE_LIBUV", "0");
    environment.insert("TORCH_DISABLE_SHARE_RDZV_TCP_STORE", "1");
}

// Whether that Python's ranks can meet at a store which is open already: its PyTorch has libuv, or is older than 2.4.
inline bool canMeetAtAStore(const QString& python) {
    return QProcess::execute(python, {"-c", "import torch.distributed as d\nd.TCPStore('127.0.0.1', 0, 1, True)"}) == 0;
}

} // namespace trainyard::test
