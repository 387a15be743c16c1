"""A bot in a few lines: it sits down at a table on a Kostka server and plays any legal action.

pip install websockets, then: python bot.py http://127.0.0.1:8000/table/ID
Replace ``choose`` by something clever. The protocol is described in docs/protocol.md.
"""

import json
import random
import sys
from urllib.request import Request, urlopen

from websockets.sync.client import connect


def choose(position):
    """``legal`` is what can be done, ``scores`` how it stands, ``view`` all that the seat sees."""
    return random.choice(position["legal"])["action"]


server, table = sys.argv[1].split("/table/")

# Sit down. The answer has a token, which is the right to the seat.
wish = json.dumps({"name": "bot.py"}).encode()
join = f"{server}/api/tables/{table}/join"
token = json.load(urlopen(Request(join, wish, {"Content-Type": "application/json"})))["token"]

with connect(f"ws{server.removeprefix('http')}/api/tables/{table}/play") as line:
    line.send(json.dumps({"type": "hello", "token": token, "board": False}))
    line.send(json.dumps({"type": "ready"}))
    for message in map(json.loads, line):
        if message["type"] == "error":
            sys.exit(message["error"])
        if message["type"] == "position" and message["mover"] == -2:
            print("The game is over. Result by seat:", message["result"])
            break
        if message["type"] == "position" and message["legal"]:  # only when it is our turn
            action = choose(message)
            line.send(json.dumps({"type": "act", "at": message["at"], "action": action}))
