// Messages quote at most a member name, since any other text of a world file may be a secret.
import { type Node, visit, type YAMLError } from 'yaml';
import { yaml } from '../../openapi/libraries.ts';
import { explainSyntax, type Finding, isEmpty, startOf, type YamlFile } from '../../openapi/read-yaml.ts';

export function findYamlMistakes(file: YamlFile, text: string, expected = 'a map with "tenants"'): Finding[] {
  const { document, lineAt } = file;
  const { errors, warnings } = document;
  if (errors.length > 0 || warnings.length > 0)
    return [...errors, ...warnings].map((error) => ({
      line: lineAt(error.pos[0]),
      text: explain(error, text),
    }));
  if (isEmpty(document)) return [{ line: lineAt(0), text: `the file is empty; expected ${expected}` }];
  return findAliasMistakes(file);
}

function explain(error: YAMLError, text: string): string {
  if (error.code === 'TAG_RESOLVE_FAILED')
    return 'tags (starting with "!") are not supported; put a text that starts with "!" in quotes';
  // After a colon the parser's message may repeat the file's text.
  const [message = ''] = error.message.split(': ');
  return explainSyntax(error, { name: nameAt(text, error.pos[0]), message });
}

/** Only a text that precedes a colon and doesn't look like an API key may be quoted. */
function nameAt(text: string, start: number): string {
  const [, name = 'a member'] = /^["']?((?!sp_)[\w-]+)["']? *:/.exec(text.slice(start, start + 100)) ?? [];
  return name;
}

function findAliasMistakes({ document, lineAt }: YamlFile): Finding[] {
  const mistakes: Finding[] = [];
  const anchors = new Map<string, Node>();
  visit(document, {
    // `visit` follows the order of the text, so it sees an anchor before its aliases.
    Value(_, node) {
      if (node.anchor) anchors.set(node.anchor, node);
    },
    Alias(_, { source, range }, parents) {
      const target = anchors.get(source);
      if (target && !parents.includes(target)) return;
      const reason = target ? 'refers to a value that contains it' : 'has no anchor before it';
      mistakes.push({
        line: lineAt(range?.[0] ?? 0),
        text: `an alias (starting with "*") ${reason}; put a text that starts with "*" in quotes`,
      });
    },
  });
  return mistakes;
}

/** Falls back to the nearest enclosing place. */
export function lineOf({ document, lineAt }: YamlFile, path: readonly string[]): number {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const step of path) {
    const [key, value] = childOf(yaml().isAlias(node) ? node.resolve(document) : node, step);
    offset = startOf(key) || offset;
    node = value;
  }
  return lineAt(offset);
}

function childOf(node: unknown, step: string): readonly [at: unknown, value: unknown] {
  if (yaml().isSeq(node)) return [node.items[Number(step)], node.items[Number(step)]];
  const pair = yaml().isMap(node) ? node.items.find(({ key }) => String(key) === step) : undefined;
  return [pair?.key, pair?.value];
}
