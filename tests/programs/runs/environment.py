# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes its environment, its words and its folder as JSON into {output}."""
import json
import os
import socket
import sys

port = int(os.environ["MASTER_PORT"])
held = None
if os.environ["RANK"] == "0":
    held = socket.create_server(("", port))  # as rank 0's TCPStore does
with open(os.path.join(os.environ["TRAINYARD_OUTPUT"], "rank%s.json" % os.environ["RANK"]), "w") as file:
    json.dump({"environment": dict(os.environ), "words": sys.argv[1:], "folder": os.getcwd()}, file)
