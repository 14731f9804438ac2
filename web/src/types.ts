// The wire types of the server (src/legatus/server/wire.py, src/legatus/scene/model.py), as the page uses them.
export type Lang = 'en' | 'fr';
export type LuckMode = 'server' | 'dice' | 'all';

export interface Reason { clause: string; text: string; action: string }
export interface Failure { code: string; message: string; reasons: Reason[]; number: number | null }

// --- the lobby
export interface Named { key: string; label: string }
export interface ScenarioInfo { key: string; name: string; text: string; armies: string[]; budget: number | null }
export interface OptionInfo { key: string; label: string; clause: string; default: boolean | string; choices: Named[] }
export interface ArmyInfo { key: string; name: string; cost: number; budget: number }
export interface GameInfo {
  key: string; name: string; edition: number; text: string; seats: Named[]; default_scenario: string;
  scenarios: ScenarioInfo[]; options: OptionInfo[]; armies: ArmyInfo[]; builder: boolean; designer: boolean;
}
export interface BotInfo { key: string; label: string; text: string }
export interface Lobby { version: string; games: GameInfo[]; bots: BotInfo[] }
export interface ClauseInfo { id: string; kind: string; house: boolean; informative: boolean; text: string }
export interface ChapterInfo { title: string; clauses: ClauseInfo[] }
export interface Rules { game: string; edition: number; lang: Lang; chapters: ChapterInfo[] }
export interface Mark { key: string; label: string; clause: string; price: number }
export interface Recruit {
  section: string; shape: 'typed' | 'single' | 'flag'; key: string; label: string; price: number;
  clause: string; icon: string; values: Record<string, string>; marks: Mark[];
}
export interface MusterLine {
  place: string; label: string; count: number; each: number; total: number;
  key: string; what: string; name: string; marks: string[];
}
export interface MusterProblem { place: string; severity: 'error' | 'warning'; clause: string; text: string }
export interface Muster {
  name: string; cost: number; budget: number; ok: boolean; lines: MusterLine[]; problems: MusterProblem[];
}
export type Army = Record<string, unknown>;
export interface CheckedArmy { army: Army; muster: Muster }

// --- designs of fortresses: hundredths of a unit, to the right and backwards; tenths of a degree clockwise
export interface Way { bend: string; start: Pose; end: Pose }
export interface Part { key: string; kind: string; material: string; label: string; price: number; outline: Spot[]; ways: Way[] }
export interface ReadyDesign { key: string; name: string; text: string; cost: number; file: string }
export interface Workshop { parts: Part[]; designs: ReadyDesign[] }
export interface PieceEntry { kind: string; at: Spot; turn?: number; bend?: string; material?: string } // in units and degrees
export interface Design {
  name: string; name_fr?: string; text?: string; text_fr?: string; material: string; agreed?: string[]; edge?: boolean; piece: PieceEntry[];
}
export interface CheckedDesign {
  design: Design; names: string[]; file: string; do: string; cost: number; materials: Record<string, number>; size: Spot; ok: boolean; closed: boolean;
  gates: number; floor: Spot[]; lines: MusterLine[]; problems: MusterProblem[];
}

// --- matches
export interface SeatPlan { who: 'me' | 'friend' | 'bot'; bot?: string; name?: string }
export interface NewMatch {
  request: string; game: string; seats: SeatPlan[]; scenario?: string | null;
  armies?: (string | Army)[]; options?: Record<string, boolean | string>; luck?: LuckMode; contribution?: string;
}
export interface SeatInfo {
  seat: string; label: string; who: 'human' | 'bot' | 'open' | 'record'; name: string;
  yours: boolean; online: boolean; invite: string;
}
export interface MatchInfo {
  id: string; game: string; title: string; text: string; seats: SeatInfo[]; luck: LuckMode; number: number;
  entries: number; over: boolean; replay: boolean; turn: string; winner: string; started: string; moved: string; record: boolean;
  secrets: boolean; branch: BranchInfo | null; edition: number; notice: string; scheme: string; commitment: string;
  contributions: ContributionInfo[]; seed: string;
}
export interface ContributionInfo { seat: string; row: number; text: string }
export interface VerdictInfo { verified: boolean; finding: string; dice: number; typed: number; entry: number | null; text: string[] }
export interface BranchInfo { match: string; entry: number; seat: string; dealt: boolean }

// --- the scene
export type Spot = [number, number]; // on an open table: hundredths of a unit, eastwards and southwards
export type Pose = [number, number, number]; // and where it faces: tenths of a degree clockwise from north
export interface Area {
  id: string; label: string; row: number; column: number; width: number; ground: string; side: number | null;
  marks: string[]; note: string; clauses: string[]; level: number;
  outline: Spot[]; losses: number; strength: number; states: string[]; heading: number | null; // on an open table
}
export interface Piece {
  id: string; label: string; place: string; side: number; kind: string; icon: string; values: Record<string, string>;
  losses: number; strength: number; marks: string[]; tokens: string[]; facing: 'front' | 'side' | 'back';
  hidden: boolean; clauses: string[]; heading: number | null; group: string; badge: string; acting: boolean; beside: string; states: string[];
  pose: Pose | null; size: Spot; sections: Spot; wings: Spot; grips: string[]; // on an open table
}
export interface Card { id: string; label: string; side: number; place: string; text: string; kind: string }
export interface Track { id: string; label: string; value: string }
export interface Scene {
  title: string; sides: string[]; areas: Area[]; pieces: Piece[]; cards: Card[]; tracks: Track[];
  lines: [string, string, string][]; grid: '' | 'hexes' | 'open'; markers: Marker[];
  size: Spot; // of an open table
}
export interface Marker {
  id: string; kind: string; label: string; place: string; heading: number | null; side: number | null; clauses: string[];
  name: string; note: string;
}
export interface Zone { kind: string; label: string; places: string[]; clause: string }
export interface Reach { kind: string; label: string; far: number; spread: number; clause: string }
export interface Look { zones: Zone[]; costs: Record<string, string>; lines: [string, string][]; reaches: Reach[] }
export interface Line { kind: string; start: Spot; end: Spot; label: string; clause: string }
export interface Ghost {
  pose: Pose; do: string; cost: string; left: string; touches: string[]; lines: Line[]; reasons: [string, string][];
}

// --- playing
export interface LogLine { clause: string; text: string; dice: number[]; private: boolean }
export interface LogEntry { entry: number; seat: string; lines: LogLine[] }
export interface ActionInfo { do: string; label: string; clicks: string[]; verb: string; remark: string; odds: boolean }
export interface Prompt { text: string; clause: string }
export interface Ending { winner: string; label: string; text: string; clause: string }
export interface Frame {
  type: 'frame'; match: string; number: number; entry: number; seen_as: string; scene: Scene; turn: string;
  yours: boolean; thinking: boolean; prompt: Prompt | null; actions: ActionInfo[]; names: Record<string, string>;
  undo: boolean; ending: Ending | null; log_from: number; log: LogEntry[]; board: boolean;
}
export interface LuckAsk {
  n: number; sides: number; choices: [number, string][]; told: LogLine[]; dice: number[]; low: number;
}
export interface Done { number: number; luck: LuckAsk | null }
export interface Reasons { legal: boolean; reasons: Reason[] }
export interface Chance { value: number; p: number; odds: string }
export interface OddsColumn { key: string; label: string; mean: number; values: Chance[] }
export interface MenuEntry { do: string; label: string; verb: string; legal: boolean; reasons: Reason[] }
export interface Menu { entries: MenuEntry[] }
export interface OddsTerm { clause: string; text: string; value: number }
export interface OddsInfo { label: string; exact: boolean; runs: number; columns: OddsColumn[]; terms: OddsTerm[] }
export interface AnalysisMoment {
  entry: number; seat: string; value: number; low: number; high: number; luck: number; luck_give: number; decision: number;
  decision_give: number; rest: number;
}
export interface TurningPoint { entry: number; done: string; best: string; lines: LogLine[] }
export interface AnalysisInfo {
  state: 'none' | 'waiting' | 'working' | 'done' | 'failed'; done: number; total: number; moments: AnalysisMoment[];
  turning: TurningPoint[]; luck: number[]; decisions: number[]; outlook: number[]; error: number; playouts: number;
  problem: string;
}
export interface ThoughtInfo { label: string; value: number; tries: number; done: boolean }
export interface ThoughtsInfo {
  entry: number; seat: string; bot: string; done: string; same: boolean; considered: number; thoughts: ThoughtInfo[];
}
export interface LabInfo {
  id: string; game: string; state: 'running' | 'done' | 'failed'; done: number; total: number; mine: boolean; html: string;
}
export type FromServer =
  | Frame
  | { type: 'match'; match: MatchInfo }
  | { type: 'error'; failure: Failure };
