// Reads a flat YAML map, and reports the line of each mistake.
import type { Document, Pair } from 'yaml';
import { formatPointer, setAt } from './json-pointer.ts';
import { yaml } from './libraries.ts';
import { expandedSize, explainSyntax, type Finding, isEmpty, parseYaml, type YamlFile } from './read-yaml.ts';

interface YamlMap {
  /** Plain JSON by key. */
  values: Record<string, unknown>;
  /** The line of each key. */
  lines: ReadonlyMap<string, number>;
  /** What can't be read; when not empty, the values must not be used. */
  findings: readonly Finding[];
}

/** With its aliases written out (see expandedSize). */
const largestMap = 16_000_000;

/** Reads the map in a YAML text; `expected` says in words what it should hold. */
export function readYamlMap(text: string, expected: string): YamlMap {
  const file = parseYaml(text);
  const findings = file.document.errors.map((error) => {
    const [name = ''] = /^[^:\n]*/.exec(text.slice(error.pos[0])) ?? [];
    return {
      line: file.lineAt(error.pos[0]),
      text: explainSyntax(error, { name, message: error.message }),
    };
  });
  if (findings.length === 0 && !yaml().isMap(file.document.contents) && !isEmpty(file.document))
    findings.push({ line: 1, text: expected });
  if (findings.length === 0 && expandedSize(file.document) > largestMap)
    findings.push({
      line: 1,
      text: 'it holds too much data, its aliases written out; leave out what is not needed',
    });
  return findings.length > 0 ? { values: {}, lines: new Map(), findings } : readPairs(file);
}

function readPairs({ document, lineAt }: YamlFile): YamlMap {
  const values = {};
  const lines = new Map<string, number>();
  const findings: Finding[] = [];
  for (const pair of yaml().isMap(document.contents) ? document.contents.items : []) {
    const key = String(pair.key);
    // Of the key itself: to look for each by its name takes minutes where there are many.
    const line = lineAt((yaml().isNode(pair.key) && pair.key.range?.[0]) || 0);
    lines.set(key, line);
    try {
      setAt(values, formatPointer([key]), plainValue(pair, document));
    } catch (error) {
      findings.push({ line, text: explainAlias(error) });
    }
  }
  return { values, lines, findings };
}

/** A value as plain JSON. Aliases are only followed here, so their mistakes only show here. */
function plainValue({ value }: Pair, document: Document): unknown {
  return JSON.parse(JSON.stringify(yaml().isNode(value) ? value.toJS(document) : null));
}

function explainAlias(error: unknown): string {
  const reason =
    error instanceof ReferenceError ? error.message : 'an alias is inside the value that it refers to';
  return `the YAML can't be read: ${reason}`;
}
