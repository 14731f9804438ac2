"""A bot that plays over the network.  It is given the link of an invitation, and plays to the end."""

import random
import sys
import time
import uuid
from urllib.parse import urlsplit

import httpx

link = urlsplit(sys.argv[1])  # http://server/join/MATCH#INVITATION
match = f"/api/matches/{link.path.split('/')[2]}"
with httpx.Client(base_url=f"{link.scheme}://{link.netloc}", timeout=60) as http:
    http.headers["authorization"] = f"Bearer {http.post('/api/keys').json()['key']}"
    me = {"invite": link.fragment, "name": "network bot", "contribution": uuid.uuid4().hex}
    http.post(f"{match}/join", json=me).raise_for_status()
    while not (frame := http.get(f"{match}/frame").raise_for_status().json())["ending"]:
        if frame["yours"]:
            do = random.choice(frame["actions"])["do"]
            act = {"number": frame["number"], "request": uuid.uuid4().hex, "do": do}
            http.post(f"{match}/act", json=act).raise_for_status()
        else:
            time.sleep(0.1)
print(frame["ending"]["label"], "won:", frame["ending"]["text"])
