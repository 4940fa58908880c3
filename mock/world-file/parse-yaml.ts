// Reads the YAML of a world file. Messages repeat nothing of the text but names, since any of it may be a secret.
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  visit,
  type YAMLError,
} from 'yaml';
import type { Path } from './seed-path.ts';

interface YamlMistake {
  offset: number;
  text: string;
}

/** Why a document can't be read as data; empty for a readable one. */
export function findYamlMistakes(document: Document.Parsed, text: string): YamlMistake[] {
  const { errors, warnings, contents } = document;
  if (errors.length > 0 || warnings.length > 0)
    return [...errors, ...warnings].map((error) => ({
      offset: error.pos[0],
      text: explainSyntax(error, text),
    }));
  if (contents === null || (isScalar(contents) && contents.value === null))
    return [{ offset: 0, text: 'the file is empty; expected a map with "tenants"' }];
  return findAliasMistakes(document);
}

function explainSyntax({ code, message, pos: [start] }: YAMLError, text: string): string {
  if (code === 'DUPLICATE_KEY')
    return `${nameAt(text, start)} appears here a second time; keep one of the two`;
  if (code === 'MULTIPLE_DOCS')
    return 'a second YAML document begins here; only one is read, so remove the "---"';
  if (code === 'TAG_RESOLVE_FAILED') return 'a tag begins with "!"; put a text that begins with it in quotes';
  // Text of the file may follow a colon.
  return `the YAML can't be read: ${message.split(': ')[0]}`;
}

/** A name only counts as one when a colon follows; API keys never do. */
function nameAt(text: string, start: number): string {
  const [, name = 'a member'] = /^["']?((?!sp_)[\w-]+)["']? *:/.exec(text.slice(start, start + 100)) ?? [];
  return name;
}

function findAliasMistakes(document: Document.Parsed): YamlMistake[] {
  const mistakes: YamlMistake[] = [];
  const anchors = new Map<string, Node>();
  visit(document, {
    // In the order of the text: an anchor comes before its aliases.
    Value(_, node) {
      if (node.anchor) anchors.set(node.anchor, node);
    },
    Alias(_, { source, range }, parents) {
      const target = anchors.get(source);
      if (target && !parents.includes(target)) return;
      const reason = target ? 'refers to a value that contains it' : 'has no anchor before it';
      mistakes.push({
        offset: range?.[0] ?? 0,
        text: `an alias, which begins with "*", ${reason}; put a text that begins with it in quotes`,
      });
    },
  });
  return mistakes;
}

/** The offset of a path in the text, or that of its nearest existing parent. */
export function offsetOf(document: Document.Parsed, path: Path): number {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const step of path) {
    const [key, value] = childOf(isAlias(node) ? node.resolve(document) : node, step);
    offset = startOf(key) || offset;
    node = value;
  }
  return offset;
}

/** The value that a step leads to, and the node where it begins. */
function childOf(node: unknown, step: string | number): readonly [at: unknown, value: unknown] {
  if (isSeq(node)) return [node.items[Number(step)], node.items[Number(step)]];
  const pair = isMap(node) ? node.items.find(({ key }) => String(key) === String(step)) : undefined;
  return [pair?.key, pair?.value];
}

function startOf(node: unknown): number {
  return (isNode(node) && (node as Node).range?.[0]) || 0;
}
