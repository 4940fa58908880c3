// Reads a world file, and reports the line of each mistake. YAML takes long to load, so this module is loaded on demand.
import { notUtf8, readLimitedText, tooLong } from '../../openapi/read-limited-text.ts';
import { expandedSize, parseYaml, type YamlFile } from '../../openapi/read-yaml.ts';
import type { WorldSeed } from '../world/world-seed.ts';
import { findYamlMistakes } from './find-yaml-mistakes.ts';
import { checkWorldSeed, WorldFileError } from './validate-seed.ts';

/** In bytes. */
const largestFile = 2_000_000;

/** With its aliases written out (see expandedSize): a list of events may be used some thousand times. */
const largestWorld = 32_000_000;

/** A world file in YAML or JSON, which is YAML too. Throws WorldFileError. */
export function readWorldFile(path: string): WorldSeed {
  const text = readText(path);
  const file = parseYaml(text);
  const problems = new Map<number, string>();
  for (const { line, text: reason } of findYamlMistakes(file, text)) {
    // Further mistakes on a line mostly follow from the first one.
    if (!problems.has(line)) problems.set(line, `${path}:${line}: ${reason}`);
  }
  if (problems.size > 0) throw new WorldFileError([...problems.values()]);
  return checkWorldSeed(readValue(file, path), path, file.lineOf);
}

function readValue({ document }: YamlFile, path: string): unknown {
  if (expandedSize(document) > largestWorld)
    throw new WorldFileError([
      `${path}: it holds too much data, its aliases written out; leave out what is not needed`,
    ]);
  // What they expand to was measured, whatever their number.
  return document.toJS({ maxAliasCount: -1 });
}

function readText(path: string): string {
  try {
    return readLimitedText(path, largestFile);
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    if (code === notUtf8) throw new WorldFileError([`the world file ${path} is not UTF-8; save it as UTF-8`]);
    if (code === tooLong)
      throw new WorldFileError([
        `the world file ${path} is longer than ${largestFile} bytes; leave out what no test needs`,
      ]);
    throw new WorldFileError([
      `the world file ${path} can't be read (${code}); give the path of a YAML or JSON file`,
    ]);
  }
}
