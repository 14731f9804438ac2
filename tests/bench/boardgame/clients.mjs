// Two clients a match, all in this process, against one of the two servers:
//   node clients.mjs legatus|boardgame PORT MATCHES BEFORE SECONDS RATE
// First the matches are brought to all stages, from 0 to BEFORE moves.  Then whoever is to move does so at random as
// soon as both have the last update; and after that, for as long again, all matches together make RATE moves a second.
// Prints JSON for each of the two: moves, seconds, and the milliseconds from a move to the update at both clients.

import http from "node:http";
import { performance } from "node:perf_hooks";
import { io } from "socket.io-client";
import WebSocket from "ws";

const [which, port] = process.argv.slice(2);
const [MATCHES, BEFORE, SECONDS, RATE] = process.argv.slice(4).map(Number);
const OPENING = 8; // matches opened at a time
const WARM = 2; // seconds before each measurement

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
const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

class Match {
  // `step` counts moves; `seen` says which clients have the update of the last one
  constructor() {
    this.seen = [-1, -1];
    this.step = 0;
    this.sent = 0;
    this.over = false;
    this.last = 0; // where it stops for now
    this.pause = 0; // milliseconds from one move to the next
    this.done = () => {};
  }

  arrived(client, step) {
    if (step <= this.seen[client]) return;
    this.seen[client] = step;
    if (Math.min(...this.seen) < this.step) return;
    const now = performance.now();
    if (this.sent >= measure.from && now <= measure.to) measure.times.push(now - this.sent);
    if (this.over || this.step >= this.last) this.done();
    else if (!this.pause) this.go();
    else setTimeout(() => this.go(), Math.max(0, this.sent + this.pause - now));
  }

  // Go on until there are `last` moves; resolves then.
  run(last, pause = 0, delay = 0) {
    this.last = last;
    this.pause = pause;
    return new Promise((resolve) => {
      this.done = resolve;
      if (this.over || this.step >= last) resolve();
      else setTimeout(() => this.go(), delay);
    });
  }

  go() {
    if (this.step >= this.last) return this.done();
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
    const { matchID } = await post("/games/battle/create", { numPlayers: 2 });
    this.id = matchID;
    this.states = [null, null];
    this.keys = [];
    this.sockets = [];
    for (const playerID of ["0", "1"]) {
      const joined = await post(`/games/battle/${matchID}/join`, { playerID, playerName: playerID });
      this.keys.push(joined.playerCredentials);
    }
    await Promise.all(
      this.keys.map((key, client) => {
        const options = { transports: ["websocket"], forceNew: true };
        const socket = io(`http://127.0.0.1:${port}/battle`, options);
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
    const playerID = this.states[0].ctx.currentPlayer;
    const state = this.states[playerID];
    const { units, places } = state.G;
    const mine = units.filter((unit) => String(unit.side) === playerID);
    const filled = (place) => units.filter((unit) => unit.place === place).length;
    const open = [...places.keys()].filter((n) => String(places[n].holder) === playerID && filled(n) < places[n].room);
    const args = [pick(mine).id, pick(open)];
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
await Promise.all(matches.map((match, n) => match.run(Math.round((BEFORE * n) / MATCHES))));

async function measured(pause) {
  const running = matches.map((match, n) => match.run(Infinity, pause, (pause * n) / MATCHES));
  await sleep(WARM);
  measure.times = [];
  measure.from = performance.now();
  measure.to = measure.from + SECONDS * 1000;
  const cpu = process.cpuUsage();
  await sleep(SECONDS);
  const used = process.cpuUsage(cpu);
  const times = measure.times.sort((a, b) => a - b);
  measure.from = Infinity;
  for (const match of matches) match.last = match.step; // those under way are the last
  await Promise.race([Promise.all(running), sleep(10)]);
  const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))];
  return {
    moves: times.length,
    seconds: SECONDS,
    median: at(0.5),
    p95: at(0.95),
    stuck: matches.filter((match) => !match.over && Math.min(...match.seen) < match.step).length,
    over: matches.filter((match) => match.over).length,
    client: (used.user + used.system) / 1e6 / SECONDS, // how much of a core the clients took
  };
}

const fast = await measured(0);
const paced = await measured((MATCHES / RATE) * 1000);
console.log(JSON.stringify({ fast, paced }));
process.exit(0);
