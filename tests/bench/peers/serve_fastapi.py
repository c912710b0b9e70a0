# SPDX-License-Identifier: GPL-3.0-or-later
"""The usual peer of tests/bench/serving.py: FastAPI, numbers as JSON, a process per core.

    MODEL=MODEL.pt uvicorn --app-dir tests/bench/peers serve_fastapi:app --port PORT --workers 2
"""
import os
from typing import List

import torch
from fastapi import FastAPI
from pydantic import BaseModel

torch.set_num_threads(1)
MODEL = torch.jit.load(os.environ["MODEL"]).eval()
app = FastAPI()


class Request(BaseModel):
    data: List[float]


@app.post("/predict")
def predict(request: Request):
    with torch.no_grad():
        output = MODEL(torch.tensor(request.data).view(1, 1, 28, 28))[0]
    return {"output": output.tolist()}
