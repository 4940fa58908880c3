// The entries of a HAR file, one after the other: a recording of an afternoon has hundreds of megabytes, most of them assets.
import { piecesOf } from '../../../openapi/read-limited-text.ts';
import { RecordingError } from './recorded-exchange.ts';

/** One of `log.entries`. */
export interface HarEntry {
  /** From 1. */
  number: number;
  /** Where it begins, from 1. */
  line: number;
  /** Undefined where it is longer than anybody reads. */
  text: string | undefined;
}

/** The longest file and the longest entry that are read, in bytes, and the most entries. */
export const harLimits = { file: 1_073_741_824, entry: 16_777_216, entries: 100_000 };

const pieceLength = 1_048_576;

/** Reads a file piece by piece. `name` is what messages call it. Throws RecordingError, or what Node throws where it can't be read. */
export function* harEntriesOf(path: string, name: string): Generator<HarEntry> {
  const scan = createScan(name);
  let length = 0;
  for (const piece of piecesOf(path, pieceLength)) {
    length += piece.length;
    if (length > harLimits.file)
      throw new RecordingError(`${name} is longer than ${harLimits.file / 1_048_576} MB`);
    yield* scan.read(piece);
  }
  scan.end();
}

/** The same of pieces in memory. */
export function* harEntriesIn(pieces: Iterable<Buffer>, name: string): Generator<HarEntry> {
  const scan = createScan(name);
  for (const piece of pieces) yield* scan.read(piece);
  scan.end();
}

const [quote, backslash, colon, lineEnd] = ['"', '\\', ':', '\n'].map((one) => one.charCodeAt(0));
const [openList, closeList, openObject, closeObject] = [...'[]{}'].map((one) => one.charCodeAt(0));

/** How deep the entries themselves stand: in the list, in `log`, in the whole. */
const entryDepth = 3;

/** An entry of which the beginning was read. */
interface Begun {
  number: number;
  line: number;
  pieces: Buffer[];
  length: number;
}

function createScan(name: string) {
  const reader = createReader();
  let begun: Begun | undefined;
  let [number, isFirst] = [0, true];
  const start = (): Begun => {
    number += 1;
    if (number > harLimits.entries)
      throw new RecordingError(`${name} has more than ${harLimits.entries} entries`);
    return { number, line: reader.line(), pieces: [], length: 0 };
  };
  return {
    *read(whole: Buffer): Generator<HarEntry> {
      const piece = isFirst ? withoutMark(whole, name) : whole;
      isFirst = false;
      let from = 0;
      for (let at = 0; at < piece.length; at++) {
        const event = reader.step(piece[at] ?? 0);
        if (event === 'starts') [begun, from] = [start(), at];
        if (event !== 'ends' || !begun) continue;
        yield entryOf(keep(begun, piece.subarray(from, at + 1)));
        begun = undefined;
      }
      if (begun) keep(begun, piece.subarray(from));
    },
    end(): void {
      const where = `${name} ends at line ${reader.line()}`;
      if (begun) throw new RecordingError(`${where}, within entry ${begun.number}; save it again`);
      if (reader.isOpen()) throw new RecordingError(`${where}, before its end; save it again`);
      if (!reader.hasEntries())
        throw new RecordingError(`${name} has no list log.entries; is it a recording in the format HAR?`);
    },
  };
}

function keep(begun: Begun, piece: Buffer): Begun {
  begun.length += piece.length;
  if (begun.length > harLimits.entry) begun.pieces = [];
  else begun.pieces.push(piece);
  return begun;
}

function entryOf({ number, line, pieces, length }: Begun): HarEntry {
  const text = length > harLimits.entry ? undefined : Buffer.concat(pieces).toString();
  return { number, line, text };
}

/** A file without the mark that some write before UTF-8. */
function withoutMark(piece: Buffer, name: string): Buffer {
  const [first, second] = piece;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new RecordingError(`${name} is UTF-16; save it as UTF-8`);
  const text = piece.indexOf('\u{feff}') === 0 ? piece.subarray(3) : piece;
  if (/^\s*[^\s{]/.test(text.toString('latin1', 0, 1_024)))
    throw new RecordingError(`${name} is no JSON object, and so no recording in the format HAR`);
  return text;
}

/** Follows JSON byte by byte, and tells where entries start and end. What is in them is parsed later. */
function createReader() {
  let [line, depth, isText, isEscaped] = [1, 0, false, false];
  let [text, isInLog, isInEntries, hasEntries] = ['', false, false, false];
  const keys: string[] = [];
  const open = (byte: number) => {
    if (depth === 1) isInLog = byte === openObject && keys[1] === 'log';
    if (depth === 2) isInEntries = byte === openList && isInLog && keys[2] === 'entries';
    hasEntries ||= isInEntries;
    depth += 1;
    return isInEntries && depth === entryDepth + 1 ? 'starts' : undefined;
  };
  const close = () => {
    depth -= 1;
    if (depth < entryDepth) isInEntries = false;
    return isInEntries && depth === entryDepth ? 'ends' : undefined;
  };
  const readText = (byte: number) => {
    if (isEscaped) isEscaped = false;
    else if (byte === backslash) isEscaped = true;
    else if (byte === quote) isText = false;
    else if (depth < entryDepth && text.length < 16) text += String.fromCharCode(byte);
  };
  return {
    line: () => line,
    isOpen: () => depth > 0,
    hasEntries: () => hasEntries,
    step(byte: number): 'starts' | 'ends' | undefined {
      if (byte === lineEnd) line += 1;
      if (isText) readText(byte);
      else if (byte === quote) [isText, text] = [true, ''];
      else if (byte === colon && depth < entryDepth) keys[depth] = text;
      else if (byte === openObject || byte === openList) return open(byte);
      else if (byte === closeObject || byte === closeList) return close();
      return undefined;
    },
  };
}
