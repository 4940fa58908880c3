// Reads a world file, and says of each mistake on which line it is.
import { readFileSync } from 'node:fs';
import { type Document, isMap, isNode, isPair, LineCounter, type Node, parseDocument } from 'yaml';
import { findMistakes, WorldFileError, worldFileError } from './check-world-seed.ts';
import type { WorldSeed } from './world-seed.ts';

/** A world file in YAML or JSON. Throws WorldFileError. */
export function readWorldFile(file: string): WorldSeed {
  const lineCounter = new LineCounter();
  const document = parseDocument(readText(file), { lineCounter, prettyErrors: false });
  const lineAt = (offset: number) => lineCounter.linePos(offset).line;
  const [error] = document.errors;
  if (error)
    throw new WorldFileError(`${file}:${lineAt(error.pos[0])}: the YAML can't be read: ${error.message}`);
  const seed = plainValue(document, file);
  if (!isMap(document.contents))
    throw new WorldFileError(
      `${file}:1: expected a map with "tenants", the customers that the world begins with`,
    );
  const findings = findMistakes(seed);
  if (findings.length === 0) return seed as WorldSeed;
  throw worldFileError(findings, (path) => {
    const line = lineAt(offsetOf(document, path));
    return `${file}:${line}${path.length > 0 ? `: ${path.join('.')}` : ''}`;
  });
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code;
    throw new WorldFileError(
      `the world file ${file} can't be read (${reason}); --world takes the path of a YAML or JSON file`,
    );
  }
}

/** As plain JSON. Aliases are only followed here, so their mistakes only show here. */
function plainValue(document: Document, file: string): unknown {
  try {
    return JSON.parse(JSON.stringify(document.toJS() ?? null));
  } catch (error) {
    const reason =
      error instanceof ReferenceError ? error.message : 'an alias stands inside what it stands for';
    throw new WorldFileError(`${file}: the YAML can't be read: ${reason}`);
  }
}

/** Where something stands in the text: at its key, where it has one. */
function offsetOf(document: Document, path: readonly string[]): number {
  let node: unknown = document.contents;
  let offset = rangeStart(node);
  for (const name of path) {
    const pair = isMap(node) ? node.items.find(({ key }) => String(key) === name) : undefined;
    node = isPair(pair) ? pair.value : isNode(node) ? nodeAt(node, name) : undefined;
    offset = rangeStart(pair ? pair.key : node) || offset;
  }
  return offset;
}

function nodeAt(node: Node, index: string): unknown {
  return 'items' in node && Array.isArray(node.items) ? node.items[Number(index)] : undefined;
}

function rangeStart(node: unknown): number {
  return (isNode(node) && node.range?.[0]) || 0;
}
