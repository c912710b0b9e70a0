# SPDX-License-Identifier: GPL-3.0-or-later
"""The tuned peer of tests/bench/serving.py: bare ASGI on uvicorn with uvloop, a raw binary body, batches of what waits.

    serve_bare.py MODEL.pt PORT
"""
import asyncio
import sys

import torch
import uvicorn

torch.set_num_threads(1)
MODEL = torch.jit.load(sys.argv[1]).eval()
SHAPE = [1, 28, 28]
WAITING = []
WAKE = None


async def compute():
    while True:
        await WAKE.wait()
        WAKE.clear()
        while WAITING:
            batch, WAITING[:] = WAITING[:32], WAITING[32:]
            inputs = torch.frombuffer(bytearray(b"".join(body for body, _ in batch)), dtype=torch.float32)
            with torch.no_grad():
                outputs = MODEL(inputs.view(len(batch), *SHAPE)).numpy()
            for (_, answer), output in zip(batch, outputs):
                if not answer.done():
                    answer.set_result(output.tobytes())


async def app(scope, receive, send):
    global WAKE
    if scope["type"] == "lifespan":
        await receive()
        WAKE = asyncio.Event()
        asyncio.get_running_loop().create_task(compute())
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})
        return
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    answer = asyncio.get_running_loop().create_future()
    WAITING.append((body, answer))
    WAKE.set()
    data = await answer
    await send({"type": "http.response.start", "status": 200,
                "headers": [(b"content-type", b"application/octet-stream"), (b"content-length", b"%d" % len(data))]})
    await send({"type": "http.response.body", "body": data})


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), loop="uvloop", http="httptools", log_level="error",
                access_log=False)
