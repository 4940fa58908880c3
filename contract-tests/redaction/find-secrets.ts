// Finds secrets in any mixture of encodings. The time depends only on the length of the text.
import { root } from './automaton.ts';
import { decodeEscapes, decodeLeniently, mostEscaped } from './decode-escapes.ts';
import { decodeBase64, decodeHex } from './decode-runs.ts';
import { compared, fold, type KnownSecrets, type Word } from './known-secrets.ts';
import { beginningAt, ellipsis, endAt, packView, type TextView, viewOf } from './text-view.ts';

export interface Found {
  from: number;
  to: number;
  value: string;
}

/** The secret parts of a text, in order. Overlapping parts are merged under the name of the longest secret. */
export function findSecrets(text: string, known: KnownSecrets): Found[] {
  const found = [...viewsOf(text).flatMap((view) => findIn(view, known))];
  found.sort((one, other) => one.from - other.from || other.to - one.to);
  const merged: Found[] = [];
  for (const part of found) addPart(merged, part);
  return merged;
}

/** Merges the part with the last one if they overlap. */
function addPart(found: Found[], part: Found): void {
  const last = found.at(-1);
  if (!last || part.from >= last.to || part.from < last.from) return void found.push(part);
  last.to = Math.max(last.to, part.to);
  if (part.value.length > last.value.length) last.value = part.value;
}

interface Place {
  at: number;
  node: number;
}

function findIn(view: TextView, known: KnownSecrets): Found[] {
  const { units } = view;
  const found: Found[] = [];
  let [node, hidden] = [root, 0];
  for (let at = 0; at < units.length; at += 1) {
    if (node !== root && isCutAt(view, at)) found.push(...cutPart(view, { at, node }, known));
    node = known.automaton.step(node, fold(units[at] ?? 0));
    const ended = node === root ? undefined : wordEndingAt(view, { at, node }, known);
    if (!ended) continue;
    const start = at + 1 - ended.length;
    // Inside a part that is hidden already, the rest was compared before.
    const end = start < hidden ? at + 1 : endOfRest(view, at + 1, ended);
    hidden = Math.max(hidden, end);
    addPart(found, { from: beginningAt(view, start), to: endAt(view, end - 1), value: ended.word.value });
  }
  return [...found, ...cutPart(view, { at: units.length, node }, known)];
}

interface Ended {
  word: Word;
  length: number;
}

/** The longest word that ends at a place, and how many units of it are present. */
function wordEndingAt(view: TextView, { at, node }: Place, known: KnownSecrets): Ended | undefined {
  const { automaton } = known;
  for (let end = automaton.marked(node); end !== root; end = automaton.marked(automaton.shorter(end))) {
    const length = automaton.depth(end);
    const word = known.wordsAt(end).find((one) => fits(view, { end: at + 1, length }, one));
    if (word) return { word, length };
  }
  return undefined;
}

function fits({ units }: TextView, { end, length }: { end: number; length: number }, word: Word): boolean {
  if (word.isWhole && (isAlphanumeric(units[end - length - 1]) || isAlphanumeric(units[end]))) return false;
  if (word.exact === undefined) return true;
  const text = String.fromCharCode(...units.slice(end - length, end));
  return text === word.exact || (!word.isWhole && text === word.exact.toUpperCase());
}

function isAlphanumeric(unit: number | undefined): boolean {
  return unit !== undefined && unit >= 0 && /[\p{L}\p{N}]/u.test(String.fromCharCode(unit));
}

/** The end of a long secret. The automaton knows only its beginning. */
function endOfRest({ units }: TextView, at: number, { word: { folded }, length }: Ended): number {
  if (length < compared) return at;
  let end = at;
  for (let index = compared; index < folded.length && end < units.length; index += 1, end += 1)
    if (fold(units[end] ?? 0) !== folded[index]) break;
  return end;
}

const dot = 46;

function isCutAt({ units }: TextView, at: number): boolean {
  if (units[at] === ellipsis) return true;
  return units[at] === dot && units[at + 1] === dot && units[at + 2] === dot;
}

/** The fewest units of a cut secret that are hidden: before an ellipsis, and at the end of a text. */
const fewest = { left: 4, ended: 8 };

/** The beginning of a secret at the cut end of a text. */
function cutPart(view: TextView, { at, node }: Place, known: KnownSecrets): Found[] {
  const { automaton, longestThrough } = known;
  const isShown = view.units[at] === ellipsis;
  for (let cut = node; cut !== root; cut = automaton.shorter(cut)) {
    const word = longestThrough(cut);
    const length = automaton.depth(cut);
    if (!word || word.isWhole) continue;
    const least = isShown ? fewest.left : Math.max(fewest.ended, word.folded.length / 2);
    if (length < least || length >= Math.min(word.folded.length, compared)) continue;
    const to = at < view.units.length ? beginningAt(view, at) : endAt(view, at - 1);
    return [{ from: beginningAt(view, at - length), to, value: word.value }];
  }
  return [];
}

interface Layered {
  view: TextView;
  /** The remaining layers of escapes, and of base64 or hexadecimal digits. */
  escaped: number;
  packed: number;
}

const mostPacked = 2;

/** All views together may have this many times the units of the text. Any two layers need less. */
const mostUnits = 40;

/** The text and its decoded views, by number of layers. Decoded lazily to save memory. */
function* viewsOf(text: string): Generator<TextView> {
  const waiting: Layered[] = [{ view: viewOf(text), escaped: mostEscaped, packed: mostPacked }];
  let left = mostUnits * text.length;
  for (let layered = waiting.shift(); layered; layered = waiting.shift()) {
    yield layered.view;
    const further = left < 0 ? [] : withoutALayer(layered);
    for (const { view, ...rest } of further) {
      left -= view.units.length;
      if (left < 0) break;
      waiting.push({ view: packView(view), ...rest });
    }
  }
}

function withoutALayer({ view, escaped, packed }: Layered): Layered[] {
  const unescaped = escaped === 0 ? [] : [decodeEscapes(view), decodeLeniently(view)];
  const unpacked = packed === 0 ? [] : [decodeBase64(view), decodeHex(view)];
  return [
    ...unescaped.flatMap((decoded) => (decoded ? [{ view: decoded, escaped: escaped - 1, packed }] : [])),
    ...unpacked.flatMap((decoded) => (decoded ? [{ view: decoded, escaped, packed: packed - 1 }] : [])),
  ];
}
