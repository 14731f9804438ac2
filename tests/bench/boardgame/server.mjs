// boardgame.io's own server with its own store in files: node server.mjs PORT FOLDER

import { createRequire } from "node:module";

const { FlatFile, Server } = createRequire(import.meta.url)("boardgame.io/server");

const PIECES = 50; // about as many as a battle of Virtus has
const PLACES = 12;

const game = {
  name: "pieces",
  setup: () => ({ places: Array.from({ length: PIECES }, (_, i) => i % PLACES) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    go: ({ G }, piece, place) => {
      if (!(piece in G.places) || place < 0 || place >= PLACES) return "INVALID_MOVE";
      G.places[piece] = place;
    },
  },
};

const [port, folder] = process.argv.slice(2);
const server = Server({ games: [game], origins: ["*"], db: new FlatFile({ dir: folder }) });
await server.run(Number(port));
console.log("ready");
