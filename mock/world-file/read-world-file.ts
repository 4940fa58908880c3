// YAML takes long to load, so this module is imported on demand.
import type { Scalar } from 'yaml';
import { yaml } from '../../openapi/libraries.ts';
import { readNamedText } from '../../openapi/read-limited-text.ts';
import { expandedSize, parseYaml, type YamlFile } from '../../openapi/read-yaml.ts';
import type { Snapshot } from '../world/entries.ts';
import { assignLongId, assignLongJson } from '../world/long-ids.ts';
import { isSnapshot } from '../world/snapshot.ts';
import type { WorldSeed } from '../world/world-seed.ts';
import { findYamlMistakes, lineOf } from './find-yaml-mistakes.ts';
import { checkWorldSeed, WorldFileError } from './validate-seed.ts';

/** In bytes. */
const largestFile = 2_000_000;

/** Limits `expandedSize`, since aliases may repeat a list some thousand times. */
const largestWorld = 32_000_000;

/** In bytes, as much as the control API accepts. */
const largestSnapshot = 67_108_864;

/** Reads YAML, which includes JSON. A snapshot is returned unchecked. Throws WorldFileError. */
export function readWorldFile(path: string): WorldSeed | Snapshot {
  const text = readNamedText(
    path,
    largestSnapshot,
    (reason, advice = 'give the path of a YAML or JSON file') => {
      return new WorldFileError([`the world file ${path} can't be read (${reason}); ${advice}`]);
    },
  );
  const snapshot = readSnapshot(path, text);
  if (snapshot) return snapshot;
  if (Buffer.byteLength(text) > largestFile)
    throw new WorldFileError([
      `the world file ${path} is larger than ${largestFile} bytes; remove data that no test needs`,
    ]);
  return readSeed(path, text);
}

function readSnapshot(path: string, text: string): Snapshot | undefined {
  // Parsing each file twice would take too long, so only likely snapshots are parsed as JSON.
  if (!/^\s*\{/.test(text) || !text.includes('"counters"')) return undefined;
  try {
    const value = JSON.parse(assignLongJson(text)) as object;
    return isSnapshot(value) ? value : undefined;
  } catch {
    if (!/^\s*\{\s*"random"\s*:/.test(text)) return undefined;
    throw new WorldFileError([
      `${path}: it looks like a saved world, but is not valid JSON; save the world again`,
    ]);
  }
}

function readSeed(path: string, text: string): WorldSeed {
  const file = parseYaml(text);
  const mistakes = findYamlMistakes(file, text);
  const problems = mistakes.map(({ line, text: reason }) => `${path}:${line}: ${reason}`);
  if (problems.length > 0) throw new WorldFileError(problems);
  return checkWorldSeed(readValue(file, path), path, (place) => lineOf(file, place));
}

function readValue({ document }: YamlFile, path: string): unknown {
  yaml().visit(document, { Scalar: (_, node) => preserveDigits(node) });
  if (expandedSize(document) > largestWorld)
    throw new WorldFileError([
      `${path}: it contains too much data once its aliases are expanded; remove what you do not need`,
    ]);
  // The number of aliases needs no limit, since the expanded size was limited above.
  return document.toJS({ maxAliasCount: -1 });
}

/** The YAML parser rounds long integers, so they are read from the source text. */
function preserveDigits(node: Scalar): void {
  const standIn = typeof node.value === 'number' ? assignLongId(node.source ?? '') : undefined;
  if (standIn !== undefined) node.value = Number(standIn);
}
