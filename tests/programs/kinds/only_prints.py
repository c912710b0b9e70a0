# SPDX-License-Identifier: GPL-3.0-or-later
"""Only prints, as the well-known MNIST example does."""
import time

for epoch in (1, 2):
    for batch in range(0, 10):
        loss = 2.0 / (epoch * 10 + batch)
        print("Train Epoch: {} [{}/{} ({:.0f}%)]\tLoss: {:.6f}".format(epoch, batch * 64, 640, 10.0 * batch, loss),
              flush=True)
        time.sleep(0.02)
    print("\nTest set: Average loss: {:.4f}, Accuracy: {}/{} ({:.0f}%)\n".format(0.5 / epoch, 60 + epoch, 100,
                                                                                 60.0 + epoch), flush=True)
