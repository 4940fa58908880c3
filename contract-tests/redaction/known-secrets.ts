// The words that the automaton looks for, and the nodes from which on they are hidden.
import { type Automaton, createAutomaton } from './automaton.ts';
import { decodeEscapes, mostEscaped } from './decode-escapes.ts';
import { type TextView, viewOf } from './text-view.ts';

/** A secret, or a reading of it whose own characters were decoded as escapes. */
export interface Word {
  value: string;
  /** The form that the automaton compares. */
  folded: Uint16Array;
  /** Hidden only if no letter or digit is adjacent. */
  isWhole: boolean;
  /** If set, hidden only in this spelling or in capitals. */
  exact: string | undefined;
}

export interface KnownSecrets {
  automaton: Automaton;
  add(value: string): void;
  /** The words that end, or almost end, at a node. */
  wordsAt(node: number): readonly Word[];
  /** A word that continues from a node. */
  longestThrough(node: number): Word | undefined;
}

/** The automaton contains this many units of a word; the rest is compared unit by unit. */
export const compared = 256;

export function createKnownSecrets(): KnownSecrets {
  const automaton = createAutomaton();
  const ending = new Map<number, Word[]>();
  const through: (Word | undefined)[] = [];
  const end = (node: number, word: Word, isWhole: boolean) => {
    const words = ending.get(node) ?? [];
    const others = words.filter(({ exact }) => exact !== undefined);
    const [plain] = words.filter(({ exact }) => exact === undefined);
    if (word.exact !== undefined) ending.set(node, [...others, word, ...(plain ? [plain] : [])]);
    else if (isWhole || !plain) ending.set(node, [...others, word]);
    automaton.mark(node);
  };
  const addWord = (word: Word) => {
    const nodes = automaton.addWord(word.folded.subarray(0, compared));
    for (const node of nodes)
      if ((through[node]?.folded.length ?? 0) < word.folded.length) through[node] = word;
    for (const [index, node] of nodes
      .slice(-1 - mostLeftOut(word))
      .reverse()
      .entries())
      end(node, word, index === 0);
  };
  return {
    automaton,
    add: (value) => {
      for (const view of readingsOf(value)) addWord(wordOf(value, view));
    },
    wordsAt: (node) => ending.get(node) ?? [],
    longestThrough: (node) => through[node],
  };
}

/** A secret that looks encoded may be decoded together with the text around it. */
function readingsOf(value: string): TextView[] {
  const views = [viewOf(value)];
  // Such an end may form an escape with the following text.
  const begun = value.replace(/[\\%&]$/, '');
  if (begun !== value && begun.length >= shortestSafe) views.unshift(viewOf(begun));
  for (let layer = 0; layer < mostEscaped; layer += 1) {
    const [last] = views.slice(-1);
    const decoded = last && decodeEscapes(last);
    if (!decoded || decoded.units.length < shortestSafe) break;
    views.push(decoded);
  }
  return views;
}

/** In units. Shorter secrets may be part of any word. */
const shortestSafe = 4;

function wordOf(value: string, { units }: TextView): Word {
  const { length } = units;
  const text = String.fromCharCode(...units.slice(0, compared));
  const isPlain = /^(\p{L}*|\d*)$/u.test(text);
  return {
    value,
    folded: Uint16Array.from(units, fold),
    isWhole: length < shortestSafe || (length < 6 && isPlain),
    exact: length < shortestSafe || (length < 8 && isPlain) ? text : undefined,
  };
}

/** The number of missing last units with which a secret is still hidden. 0 for texts of letters only, which may be other words. */
function mostLeftOut({ value, folded }: Word): number {
  const { length } = folded;
  const lastCharacter = (folded[length - 1] ?? 0) >> 10 === 0xdc00 >> 10 ? 2 : 1;
  const most = Math.min(Math.max(lastCharacter, Math.floor(length / 8)), value.length - shortestCut);
  if (most < 1 || length - most < shortestSafe || length > compared) return 0;
  return /^\p{L}*$/u.test(String.fromCharCode(...folded.subarray(0, length - most))) ? 0 : most;
}

/** In units, including escapes: enough to distinguish a secret from other texts. */
const shortestCut = 8;

const folds = new Uint16Array(0x10000);

/** Ignores case. Equates spaces with the plus sign of forms and the no-break space of HTML. */
export function fold(unit: number): number {
  if (unit < 0) return unit;
  if (folds[unit] === 0) folds[unit] = foldSlowly(unit);
  return folds[unit] ?? 0;
}

function foldSlowly(unit: number): number {
  const character = String.fromCharCode(unit);
  if (character === '+' || character === '\u{a0}') return 32;
  const lower = character.toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : unit;
}
