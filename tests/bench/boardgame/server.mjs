// boardgame.io's own server with its own store in files: node server.mjs PORT FOLDER
// Its game is a battle of the size of the Virtus one beside which it runs: as many units and cards, drawn from the same
// facts; a move puts one unit somewhere, is judged, and each player is sent what he may see.

import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { FlatFile, Server } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");

const UNITS = 16; // a side, generals with them
const CARDS = 54;
const HAND = 6;
const COLUMNS = 4; // and a reserve behind them
const ROOM = 4; // units in a sector; a reserve holds all

const unit = (side, n) => ({
  id: `${side ? "barbarian" : "roman"}-${n}`,
  type: ["legion", "auxiliary", "cavalry", "skirmisher"][n % 4],
  side,
  place: -1,
  values: { VO: 4, VD: 3, VC: 4, Mvt: 2 },
  losses: 0,
  formation: "",
  flags: [],
  tokens: [],
});
const cards = (from, n) => Array.from({ length: n }, (_, i) => (from + i) % 13);
const army = (side) => Array.from({ length: UNITS }, (_, n) => unit(side, n));

const game = {
  name: "battle",
  setup: () => ({
    units: [...army(0), ...army(1)],
    places: Array.from({ length: 2 * (COLUMNS + 1) }, (_, n) => ({
      ground: n % 3 ? "clear" : "hill",
      holder: n > COLUMNS ? 1 : 0,
      room: n % (COLUMNS + 1) ? ROOM : UNITS,
    })),
    points: Array(COLUMNS).fill(0),
    hands: { 0: cards(0, HAND), 1: cards(HAND, HAND) },
    deck: cards(2 * HAND, CARDS - 2 * HAND),
    lastMove: null,
  }),
  // the other's hand and the pile are backs of cards, units that wait are seen by their owner only
  playerView: ({ G, playerID }) => ({
    ...G,
    units: G.units.filter((one) => one.place >= 0 || String(one.side) === playerID),
    hands: Object.fromEntries(Object.entries(G.hands).map(([side, hand]) => [side, side === playerID ? hand : hand.length])),
    deck: G.deck.length,
  }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    go: ({ G, playerID }, id, place) => {
      const moved = G.units.find((one) => one.id === id);
      if (!moved || String(moved.side) !== playerID) return INVALID_MOVE;
      if (!(place in G.places) || G.places[place].holder !== moved.side) return INVALID_MOVE;
      if (G.units.filter((one) => one.place === place).length >= G.places[place].room) return INVALID_MOVE;
      moved.place = place;
      G.lastMove = { id, place };
    },
  },
};

const [port, folder] = process.argv.slice(2);
const server = Server({ games: [game], origins: ["*"], db: new FlatFile({ dir: folder }) });
await server.run(Number(port));
console.log("ready");
