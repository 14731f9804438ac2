// Two clients a match, all in this process, against one of the two servers:
//   node clients.mjs legatus|boardgame PORT MATCHES SECONDS RATE
// Whoever is to move does so at random as soon as both have the last update; with a RATE, matches make so many moves a
// second in all, at steady intervals.  Prints JSON: moves, seconds, and the milliseconds from each move to the update
// at both clients.

import http from "node:http";
import { performance } from "node:perf_hooks";
import { io } from "socket.io-client";
import WebSocket from "ws";

const [which, port, matchesText, secondsText, rateText] = process.argv.slice(2);
const MATCHES = Number(matchesText);
const SECONDS = Number(secondsText);
const RATE = Number(rateText);
const OPENING = 8; // matches opened at a time

const agent = new http.Agent({ keepAlive: true, maxSockets: MATCHES });

function post(path, body, key) {
  const text = JSON.stringify(body ?? {});
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
  if (key) headers.authorization = `Bearer ${key}`;
  return new Promise((resolve, reject) => {
    const request = http.request({ host: "127.0.0.1", port, path, method: "POST", agent, headers }, (answer) => {
      let got = "";
      answer.setEncoding("utf8");
      answer.on("data", (part) => (got += part));
      answer.on("end", () => {
        if (answer.statusCode >= 300) reject(new Error(`${path}: ${answer.statusCode} ${got}`));
        else resolve(JSON.parse(got));
      });
    });
    request.on("error", reject);
    request.end(text);
  });
}

const pick = (list) => list[Math.floor(Math.random() * list.length)];
const measure = { from: Infinity, to: Infinity, times: [] };

class Match {
  // `step` counts moves; `seen` says which clients have the update of the last one
  constructor() {
    this.seen = [-1, -1];
    this.step = 0;
    this.sent = 0;
    this.due = 0;
    this.over = false;
  }

  arrived(client, step) {
    if (step <= this.seen[client]) return;
    this.seen[client] = step;
    if (Math.min(...this.seen) < this.step) return;
    const now = performance.now();
    if (this.sent >= measure.from && now <= measure.to) measure.times.push(now - this.sent);
    if (!this.running || this.over) return;
    if (!RATE) return this.go();
    this.due = Math.max(this.due + (MATCHES / RATE) * 1000, now);
    setTimeout(() => this.go(), this.due - now);
  }

  run(delay) {
    this.running = true;
    this.due = performance.now() + delay;
    setTimeout(() => this.go(), delay);
  }

  go() {
    this.step += 1;
    this.sent = performance.now();
    this.move();
  }
}

class OfLegatus extends Match {
  async open() {
    const [mine, other] = await Promise.all([post("/api/keys"), post("/api/keys")]);
    this.keys = [mine.key, other.key];
    const seats = [{ who: "me" }, { who: "friend" }];
    const made = await post("/api/matches", { request: `bench-${mine.key.slice(0, 8)}`, game: "virtus", seats }, mine.key);
    const invite = made.seats.map((seat) => seat.invite).find(Boolean);
    await post(`/api/matches/${made.id}/join`, { invite }, other.key);
    this.id = made.id;
    this.frames = [null, null];
    await Promise.all(
      this.keys.map((key, client) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/api/matches/${made.id}/live`);
        socket.on("open", () => socket.send(JSON.stringify({ key })));
        return new Promise((resolve) =>
          socket.on("message", (text) => {
            const frame = JSON.parse(text);
            if (frame.type !== "frame") return;
            this.frames[client] = frame;
            this.over = frame.ending !== null;
            this.arrived(client, frame.number - 1);
            resolve();
          }),
        );
      }),
    );
  }

  async move() {
    const client = this.frames[0].yours ? 0 : 1;
    const { number, actions } = this.frames[client];
    const request = `move-${number}-${client}-${this.id}`;
    await post(`/api/matches/${this.id}/act`, { number, request, do: pick(actions).do }, this.keys[client]);
  }
}

class OfBoardgame extends Match {
  async open() {
    const { matchID } = await post("/games/pieces/create", { numPlayers: 2 });
    this.id = matchID;
    this.states = [null, null];
    this.keys = [];
    this.sockets = [];
    for (const playerID of ["0", "1"]) {
      const joined = await post(`/games/pieces/${matchID}/join`, { playerID, playerName: playerID });
      this.keys.push(joined.playerCredentials);
    }
    await Promise.all(
      this.keys.map((key, client) => {
        const options = { transports: ["websocket"], forceNew: true };
        const socket = io(`http://127.0.0.1:${port}/pieces`, options);
        this.sockets.push(socket);
        socket.on("connect", () => socket.emit("sync", matchID, String(client), key, 2));
        socket.on("update", (_id, state) => this.got(client, state));
        return new Promise((resolve) =>
          socket.on("sync", (_id, info) => {
            this.got(client, info.state);
            resolve();
          }),
        );
      }),
    );
  }

  got(client, state) {
    this.states[client] = state;
    this.arrived(client, state._stateID);
  }

  move() {
    const state = this.states[0];
    const playerID = state.ctx.currentPlayer;
    const args = [Math.floor(Math.random() * 50), Math.floor(Math.random() * 12)];
    const payload = { type: "go", args, playerID, credentials: this.keys[playerID] };
    // what boardgame.io's own transport sends
    this.sockets[playerID].emit("update", { type: "MAKE_MOVE", payload }, state._stateID, this.id, playerID);
  }
}

process.on("unhandledRejection", (error) => {
  console.error(String(error));
  process.exit(1);
});

const kind = which === "legatus" ? OfLegatus : OfBoardgame;
const matches = Array.from({ length: MATCHES }, () => new kind());
const waiting = [...matches];
await Promise.all(
  Array.from({ length: OPENING }, async () => {
    for (let match = waiting.pop(); match; match = waiting.pop()) await match.open();
  }),
);
for (const [n, match] of matches.entries()) match.run(RATE ? (n * 1000) / RATE : 0);
const warm = 2000;
measure.from = performance.now() + warm;
measure.to = measure.from + SECONDS * 1000;
const cpu = process.cpuUsage();
await new Promise((resolve) => setTimeout(resolve, warm + SECONDS * 1000));
const used = process.cpuUsage(cpu);
const times = measure.times.sort((a, b) => a - b);
const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))];
console.log(
  JSON.stringify({
    moves: times.length,
    seconds: SECONDS,
    median: at(0.5),
    p95: at(0.95),
    stuck: matches.filter((match) => !match.over && match.sent < measure.to - 5000).length,
    over: matches.filter((match) => match.over).length,
    client: (used.user + used.system) / 1e6 / (SECONDS + warm / 1000), // how much of a core the clients took
  }),
);
process.exit(0);
