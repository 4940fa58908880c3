// Reads a world file, and reports each mistake with its line. Loaded on demand, since YAML takes long to load.
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { type Document, LineCounter, parseDocument } from 'yaml';
import type { WorldSeed } from '../world/world-seed.ts';
import { findYamlMistakes, offsetOf } from './parse-yaml.ts';
import { checkWorldSeed, WorldFileError } from './validate-seed.ts';

/** A world file in YAML or JSON, which is YAML too. Throws WorldFileError. */
export function readWorldFile(path: string): WorldSeed {
  const text = readText(path);
  const lineCounter = new LineCounter();
  // The parser's warnings would repeat text of the file.
  const document = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error' });
  const lineAt = (offset: number) => lineCounter.linePos(offset).line;
  const problems = new Map<number, string>();
  for (const { offset, text: reason } of findYamlMistakes(document, text)) {
    const line = lineAt(offset);
    // One mistake causes others on the same line.
    if (!problems.has(line)) problems.set(line, `${path}:${line}: ${reason}`);
  }
  if (problems.size > 0) throw new WorldFileError([...problems.values()]);
  return checkWorldSeed(readValue(document, path), path, (place) => lineAt(offsetOf(document, place)));
}

/** Nested anchors could fill the memory, but a list of events may be used some thousand times. */
const maxAliases = 10_000;

function readValue(document: Document.Parsed, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: maxAliases });
  } catch {
    throw new WorldFileError([`${path}: its aliases expand to too much data; write the values out`]);
  }
}

function readText(path: string): string {
  try {
    const bytes = readFileSync(path);
    if (isUtf8(bytes)) return bytes.toString();
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    throw new WorldFileError([
      `the world file ${path} can't be read (${code}); give the path of a YAML or JSON file`,
    ]);
  }
  throw new WorldFileError([`the world file ${path} is not UTF-8; save it as UTF-8`]);
}
