// A second reader of STN, written from docs/reference/stn.md alone: prints each game of a file as a line of JSON.
// It knows no rules. What it can check without them it checks, and says which line is wrong.

import { readFileSync } from "node:fs";

const NEEDED = ["STN", "Game", "Players", "Options", "Others", "Dice", "End", "Scores", "Winners"];
const KNOWN = [...NEEDED, "Marks", "Sides", "Box", "Date", "Journal"];
const ACTS = /:[0-9A-Ob-f]+h?|!|~|\.|>[0-9,]+|=[0-9A-Ob-f]+|=-/g;
const TURN = /^([1-9][0-9]?)((?: [^ #/]+)+)(#[0-9]+|\/)?$/;
const TOKEN = /^(\??[0-9,]+'?)?((?::[0-9A-Ob-f]+h?|!|~|\.|>[0-9,]+|=[0-9A-Ob-f]+|=-)*)$/;
const SEATS = "[1-9][0-9]?(?:&[1-9][0-9]?)*";
const DICE = "[2-7]{6}'?";
const RACE = {
  roll: `([1-9][0-9]?)\\?(${DICE})`,
  name: "([1-9][0-9]?)=([a-z-]+)",
  ready: "ready",
  go: "go",
  shout: "([1-9][0-9]?)?!([0-9]{1,15})(?:=([a-z-]+))?",
  withdraw: "([1-9][0-9]?)?\\^",
  refused: `([1-9][0-9]?)[xX](${DICE})=([a-z-]+)`,
  held: `([1-9][0-9]?)h(${DICE})=([a-z-]+)`,
  chip: "((?:&?[1-9][0-9]?:(?:[2-7]{6})?(?:=[a-z-]+)?)+)>([1-9])('?)",
  voided: `(${SEATS})\\|`,
  seconds: "t([1-9][0-9]{0,3})",
  end: `#(${SEATS})?t?`,
  returned: `(${SEATS})~([1-9])`,
};
const RACE_WORDS = Object.entries(RACE).map(([kind, words]) => [kind, new RegExp(`^${words}$`)]);

/** Faces of dice: one digit each, or parted by commas where a die has more than nine. */
function faces(words, sides) {
  const found = (sides > 9 ? words.split(",") : [...words]).map(Number);
  if (found.some((face) => !(face >= 1 && face <= sides))) throw new Error(`no dice: ${words}`);
  return found;
}

/** Tiles as they are told: a sign each, with the letter of its row, or two pips. */
function tiles(words, isDominoes) {
  if (words === "-") return [];
  const found = words.match(isDominoes ? /[0-6][0-6]/g : /[b-f]?[1-9A-O]/g) ?? [];
  if (found.join("") !== words) throw new Error(`no tiles: ${words}`);
  return found;
}

class Game {
  constructor() {
    this.tags = {};
    this.throws = [];
    this.first = [];
    this.turns = [];
    this.claims = [];
    this.chips = [];
    this.isOver = false;
  }

  tag(line) {
    const [, name, value] = /^\[([A-Za-z]+) (.*)\]$/.exec(line) ?? [];
    if (!KNOWN.includes(name) || name in this.tags) throw new Error(`no tag: ${line}`);
    this.tags[name] = JSON.parse(value);
  }

  line(line) {
    const missing = NEEDED.find((name) => !(name in this.tags));
    if (missing) throw new Error(`tag ${missing} is missing`);
    if (this.isOver) throw new Error("a line after the end");
    if (line === "x") this.isOver = true;
    else if (/^[1-9][0-9]?\. /.test(line)) line.split(" ").slice(1).forEach((word) => this.race(word));
    else this.turn(line);
  }

  seat(words) {
    const seat = Number(words) - 1;
    if (!(seat >= 0 && seat < this.tags.Players.length)) throw new Error(`no seat ${words}`);
    return seat;
  }

  turn(line) {
    const [, seat, tokens, end] = TURN.exec(line) ?? [];
    if (!seat) throw new Error(`no turn: ${line}`);
    const at = this.seat(seat);
    for (const token of tokens.trim().split(" ")) this.token(at, token);
    if (end?.startsWith("#")) this.turns.push([at, end.slice(1)]);
  }

  token(seat, token) {
    const [all, dice, acts] = TOKEN.exec(token) ?? [];
    if (!all) throw new Error(`no throw: ${token}`);
    const sides = this.tags.Sides ?? 6;
    if (dice) {
      const told = faces(dice.replace(/[?']/g, ""), sides);
      if (dice.startsWith("?")) this.first.push([seat, told]);
      else this.throws.push({ seat, dice: told, tiles: [] });
    }
    const last = this.throws.at(-1);
    for (const act of acts.match(ACTS) ?? []) {
      if (act[0] === "=") tiles(act.slice(1), this.tags.Game === "dominoes");
      else if (!last) throw new Error(`nothing was thrown before ${act}`);
      else if (act[0] === ":") last.tiles = tiles(act.slice(1).replace(/h$/, ""), this.tags.Game === "dominoes");
      else if (act === "~") last.tiles = [];
      else if (act[0] === ">") last.dice = faces(act.slice(1), sides);
    }
  }

  race(word) {
    const [kind, pattern] = RACE_WORDS.find(([, each]) => each.test(word)) ?? [];
    if (!kind) throw new Error(`no word of a race: ${word}`);
    const found = pattern.exec(word);
    if (kind === "roll") this.first.push([this.seat(found[1]), faces(found[2].replace("'", ""), 7)]);
    if (kind === "refused") this.claims.push([this.seat(found[1]), found[3], false]);
    if (kind === "held") this.claims.push([this.seat(found[1]), found[3], true]);
    if (kind === "chip") this.chips.push(found[1].split("&").map((each) => this.seat(each.split(":")[0])));
    if (kind === "returned") this.dropChips(found[1].split("&").map((each) => this.seat(each)));
  }

  /** Chips that were put back: those of these players, and what was handed out after them. */
  dropChips(seats) {
    while (this.chips.length && JSON.stringify(this.chips.at(-1)) !== JSON.stringify(seats)) this.chips.pop();
    this.chips.pop();
  }
}

let game;
const games = [];
readFileSync(process.argv[2], "utf8").split("\n").forEach((line, at) => {
  try {
    if (line === "[STN 1]") games.push((game = new Game()));
    if (!game && line) throw new Error("a record begins with [STN 1]");
    if (line.startsWith("[")) game.tag(line);
    else if (line) game.line(line);
  } catch (error) {
    console.error(`line ${at + 1}: ${error.message}`);
    process.exit(1);
  }
});
for (const each of games) console.log(JSON.stringify(each));
