// Reads a flat YAML map, and says of each mistake on which line it is.
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Pair,
  parseDocument,
  type YAMLParseError,
} from 'yaml';
import { formatPointer, setAt } from './json-pointer.ts';

/** Something that is wrong on a line. */
export interface Finding {
  line: number;
  text: string;
}

interface YamlMap {
  /** Plain JSON by key. */
  values: Record<string, unknown>;
  /** The line of each key. */
  lines: ReadonlyMap<string, number>;
  /** What can't be read; when there is any of it, the values are not to be used. */
  findings: readonly Finding[];
}

/** The map that a YAML text is; `expected` says in words what it should hold. */
export function readYamlMap(text: string, expected: string): YamlMap {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const lineAt = (offset: number) => lineCounter.linePos(offset).line;
  const findings = document.errors.map((error) => ({
    line: lineAt(error.pos[0]),
    text: explainSyntax(error, text),
  }));
  if (findings.length === 0 && !isMap(document.contents) && !isEmpty(document))
    findings.push({ line: 1, text: expected });
  return findings.length > 0
    ? { values: {}, lines: new Map(), findings }
    : readPairs(document, (pair) => lineAt(offsetOf(pair)));
}

function isEmpty({ contents }: Document): boolean {
  return contents === null || (isScalar(contents) && contents.value === null);
}

function readPairs(document: Document, lineOf: (pair: Pair) => number): YamlMap {
  const pairs = isMap(document.contents) ? document.contents.items : [];
  const lines = new Map(pairs.map((pair) => [keyOf(pair), lineOf(pair)]));
  const values = {};
  const findings: Finding[] = [];
  for (const pair of pairs) {
    try {
      setAt(values, formatPointer([keyOf(pair)]), plainValue(pair, document));
    } catch (error) {
      findings.push({ line: lineOf(pair), text: explainAlias(error) });
    }
  }
  return { values, lines, findings };
}

/** A value as plain JSON. Aliases are only followed here, so their mistakes only show here. */
function plainValue({ value }: Pair, document: Document): unknown {
  return JSON.parse(JSON.stringify(isNode(value) ? value.toJS(document) : null));
}

function explainSyntax({ code, message, pos: [start] }: YAMLParseError, text: string): string {
  if (code === 'DUPLICATE_KEY')
    return `${/^[^:\n]*/.exec(text.slice(start))} stands here a second time; keep one of the two`;
  if (code === 'MULTIPLE_DOCS')
    return 'a second YAML document begins here; only one is read, so remove the "---"';
  return `the YAML can't be read: ${message}`;
}

function explainAlias(error: unknown): string {
  const reason =
    error instanceof ReferenceError ? error.message : 'an alias stands inside what it stands for';
  return `the YAML can't be read: ${reason}`;
}

function keyOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : String(key);
}

function offsetOf({ key }: Pair): number {
  return (isScalar(key) && key.range?.[0]) || 0;
}
