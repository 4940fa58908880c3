import type { Document } from 'yaml';
import { yaml } from '../../openapi/libraries.ts';
import { startOf, type YamlFile } from '../../openapi/read-yaml.ts';
import type { Path } from './seed-path.ts';

/** The line of a place in a file, or of the nearest place around it. */
export function lineOf({ document, lineAt }: YamlFile, path: Path): number {
  return lineAt(offsetOf(document, path));
}

function offsetOf(document: Document.Parsed, path: Path): number {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const step of path) {
    const [key, value] = childOf(yaml().isAlias(node) ? node.resolve(document) : node, step);
    offset = startOf(key) || offset;
    node = value;
  }
  return offset;
}

/** What a step leads to, and where that begins. */
function childOf(node: unknown, step: string | number): readonly [at: unknown, value: unknown] {
  if (yaml().isSeq(node)) return [node.items[Number(step)], node.items[Number(step)]];
  const pair = yaml().isMap(node) ? node.items.find(({ key }) => String(key) === String(step)) : undefined;
  return [pair?.key, pair?.value];
}
