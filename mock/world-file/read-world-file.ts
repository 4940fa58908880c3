// Reads a world file, and reports the line of each mistake. YAML takes long to load, so this module is loaded on demand.
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { parseYaml, type YamlFile } from '../../openapi/read-yaml.ts';
import type { WorldSeed } from '../world/world-seed.ts';
import { findYamlMistakes } from './find-yaml-mistakes.ts';
import { checkWorldSeed, WorldFileError } from './validate-seed.ts';

/** Aliases upon aliases could fill the memory; a list of events may be used some thousand times. */
const maxAliasCount = 10_000;

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
  try {
    return document.toJS({ maxAliasCount });
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
