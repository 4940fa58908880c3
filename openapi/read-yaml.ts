// Reads YAML, and finds the line on which a place of it begins.
import type { Document, YAMLError, YAMLParseError } from 'yaml';
import { yaml } from './libraries.ts';

/** Something that is wrong on a line. */
export interface Finding {
  line: number;
  text: string;
}

export interface YamlFile {
  document: Document.Parsed;
  lineAt(offset: number): number;
  /** The line of the place to which keys and indexes lead, or of the nearest place around it. */
  lineOf(path: readonly (string | number)[]): number;
}

/** A YAML text. Its mistakes are in `document`; nothing is printed, since a warning would repeat the text. */
export function parseYaml(text: string): YamlFile {
  const lineCounter = new (yaml().LineCounter)();
  // The parser compares each key of a map with all before it, which takes minutes where there are many.
  const options = { lineCounter, prettyErrors: false, logLevel: 'error', uniqueKeys: false } as const;
  const document = yaml().parseDocument(text, options);
  const lineAt = (offset: number) => lineCounter.linePos(offset).line;
  const errors = [...document.errors, ...findDuplicateKeys(document)];
  errors.sort((one, other) => one.pos[0] - other.pos[0]);
  // Further mistakes on a line mostly follow from the first one.
  document.errors = errors.filter(
    ({ pos }, index) => lineAt(pos[0]) !== lineAt(errors[index - 1]?.pos[0] ?? -1),
  );
  return { document, lineAt, lineOf: (path) => lineAt(offsetOf(document, path)) };
}

/** How much a document is with its aliases written out: the characters of its texts, and some for each value. */
export function expandedSize(document: Document.Parsed): number {
  const anchored = new Map<string, number>();
  const sizes = new Map<unknown, number>();
  const sizeOf = (node: unknown): number => {
    if (yaml().isAlias(node)) return anchored.get(node.source) ?? 0;
    return sizes.get(node) ?? 0;
  };
  // Children come before what holds them, and anchors before their aliases.
  for (const node of nodesFromInside(document)) {
    sizes.set(node, ownSize(node) + childrenOf(node).reduce((sum: number, child) => sum + sizeOf(child), 0));
    if (yaml().isNode(node) && !yaml().isAlias(node) && node.anchor) anchored.set(node.anchor, sizeOf(node));
  }
  return sizeOf(document.contents);
}

const valueSize = 16;

function ownSize(node: unknown): number {
  return valueSize + (yaml().isScalar(node) ? (node.source?.length ?? 0) : 0);
}

/** Without recursion: a file may be as deep as it is long. */
function nodesFromInside({ contents }: Document.Parsed): unknown[] {
  const found: unknown[] = [];
  const left: unknown[] = [contents];
  while (left.length > 0) {
    const node = left.pop();
    found.push(node);
    for (const child of childrenOf(node)) left.push(child);
  }
  return found.reverse();
}

function childrenOf(node: unknown): unknown[] {
  if (yaml().isSeq(node)) return node.items;
  return yaml().isMap(node) ? node.items.flatMap(({ key, value }) => [key, value]) : [];
}

function findDuplicateKeys(document: Document.Parsed): YAMLParseError[] {
  return nodesFromInside(document).flatMap((node) => {
    const seen = new Set<unknown>();
    return (yaml().isMap(node) ? node.items : []).flatMap(({ key }) => {
      if (!yaml().isScalar(key)) return [];
      const isKnown = seen.has(key.value);
      seen.add(key.value);
      const [start = 0, end = 0] = key.range ?? [];
      return isKnown
        ? [new (yaml().YAMLParseError)([start, end], 'DUPLICATE_KEY', 'Map keys must be unique')]
        : [];
    });
  });
}

/** Whether a document holds nothing, or null. */
export function isEmpty({ contents }: Document): boolean {
  return contents === null || (yaml().isScalar(contents) && contents.value === null);
}

/** A mistake of syntax in words. `name` is that of the key which it is about, `message` what may be repeated of the parser's. */
export function explainSyntax(
  { code }: YAMLError,
  { name, message }: { name: string; message: string },
): string {
  if (code === 'DUPLICATE_KEY') return `${name} appears here a second time; keep one of the two`;
  if (code === 'MULTIPLE_DOCS')
    return 'a second YAML document begins here; only one is read, so remove the "---"';
  return `the YAML can't be read: ${message}`;
}

function offsetOf(document: Document.Parsed, path: readonly (string | number)[]): number {
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

function startOf(node: unknown): number {
  return (yaml().isNode(node) && node.range?.[0]) || 0;
}
