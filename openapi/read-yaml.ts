// Reads YAML, and finds the line on which a place of it begins.
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type YAMLError,
} from 'yaml';

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
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error' });
  const lineAt = (offset: number) => lineCounter.linePos(offset).line;
  return { document, lineAt, lineOf: (path) => lineAt(offsetOf(document, path)) };
}

/** Whether a document holds nothing, or null. */
export function isEmpty({ contents }: Document): boolean {
  return contents === null || (isScalar(contents) && contents.value === null);
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
    const [key, value] = childOf(isAlias(node) ? node.resolve(document) : node, step);
    offset = startOf(key) || offset;
    node = value;
  }
  return offset;
}

/** What a step leads to, and where that begins. */
function childOf(node: unknown, step: string | number): readonly [at: unknown, value: unknown] {
  if (isSeq(node)) return [node.items[Number(step)], node.items[Number(step)]];
  const pair = isMap(node) ? node.items.find(({ key }) => String(key) === String(step)) : undefined;
  return [pair?.key, pair?.value];
}

function startOf(node: unknown): number {
  return (isNode(node) && node.range?.[0]) || 0;
}
