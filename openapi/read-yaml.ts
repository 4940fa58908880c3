import type { Document, YAMLError, YAMLParseError } from 'yaml';
import { yaml } from './libraries.ts';

export interface Finding {
  line: number;
  text: string;
}

export interface YamlFile {
  document: Document.Parsed;
  lineAt(offset: number): number;
}

/** Mistakes are in `document.errors`. Prints no warnings, because they would repeat the text. */
export function parseYaml(text: string): YamlFile {
  const lineCounter = new (yaml().LineCounter)();
  // With uniqueKeys, the parser compares each key with all previous ones, which takes minutes in large maps.
  const options = { lineCounter, prettyErrors: false, logLevel: 'error', uniqueKeys: false } as const;
  const document = yaml().parseDocument(text, options);
  const lineAt = (offset: number) => lineCounter.linePos(offset).line;
  const errors = [...document.errors, ...findDuplicateKeys(document)];
  errors.sort((one, other) => one.pos[0] - other.pos[0]);
  // The first mistake on a line usually causes the others.
  document.errors = errors.filter(
    ({ pos }, index) => lineAt(pos[0]) !== lineAt(errors[index - 1]?.pos[0] ?? -1),
  );
  return { document, lineAt };
}

/** Detects YAML bombs: the characters of all scalars with aliases expanded, plus `valueSize` per value. */
export function expandedSize(document: Document.Parsed): number {
  const anchored = new Map<string, number>();
  const sizes = new Map<unknown, number>();
  const sizeOf = (node: unknown): number => {
    if (yaml().isAlias(node)) return anchored.get(node.source) ?? 0;
    return sizes.get(node) ?? 0;
  };
  // Children come before their parents, and anchors before their aliases.
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

/** Recursion could overflow the stack: a file may be as deep as it is long. */
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

export function isEmpty({ contents }: Document): boolean {
  return contents === null || (yaml().isScalar(contents) && contents.value === null);
}

/** `name` is the key; `message` is the part of the parser's message that may be shown. */
export function explainSyntax(
  { code }: YAMLError,
  { name, message }: { name: string; message: string },
): string {
  if (code === 'DUPLICATE_KEY') return `${name} appears here a second time; remove one of the two`;
  if (code === 'MULTIPLE_DOCS')
    return 'a second YAML document begins here; sitepub reads only one, so remove the "---"';
  return `the YAML can't be read: ${message}`;
}

interface YamlMap {
  values: Record<string, unknown>;
  lines: ReadonlyMap<string, number>;
  /** `values` is valid only without findings. */
  findings: readonly Finding[];
}

/** The largest `expandedSize`. */
const largestMap = 16_000_000;

export function readYamlMap(text: string, expected: string): YamlMap {
  const file = parseYaml(text);
  const findings = findMistakes(file, text, expected);
  return findings.length > 0 ? { values: {}, lines: new Map(), findings } : readPairs(file);
}

function findMistakes({ document, lineAt }: YamlFile, text: string, expected: string): Finding[] {
  if (document.errors.length > 0)
    return document.errors.map((error) => {
      const [name = ''] = /^[^:\n]*/.exec(text.slice(error.pos[0])) ?? [];
      return { line: lineAt(error.pos[0]), text: explainSyntax(error, { name, message: error.message }) };
    });
  if (!yaml().isMap(document.contents) && !isEmpty(document)) return [{ line: 1, text: expected }];
  const tooMuch = 'it contains too much data with its aliases expanded; leave out what is not needed';
  return expandedSize(document) > largestMap ? [{ line: 1, text: tooMuch }] : [];
}

function readPairs({ document, lineAt }: YamlFile): YamlMap {
  const entries: [key: string, value: unknown][] = [];
  const lines = new Map<string, number>();
  const findings: Finding[] = [];
  for (const { key, value } of yaml().isMap(document.contents) ? document.contents.items : []) {
    // A lookup of each key by its name takes minutes in large maps.
    const line = lineAt(startOf(key));
    lines.set(String(key), line);
    try {
      // Only this call follows aliases, so it finds their mistakes.
      const plain = JSON.stringify(yaml().isNode(value) ? value.toJS(document) : null);
      entries.push([String(key), JSON.parse(plain)]);
    } catch (error) {
      const inItself = 'an alias is inside the value that it refers to';
      const reason = error instanceof ReferenceError ? error.message : inItself;
      findings.push({ line, text: `the YAML can't be read: ${reason}` });
    }
  }
  return { values: Object.fromEntries(entries), lines, findings };
}

export function startOf(node: unknown): number {
  return (yaml().isNode(node) && node.range?.[0]) || 0;
}
