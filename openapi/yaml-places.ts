// Where the YAML files of the contract say something: the line of each operation, mark, requirement and gap. They are in the package, too.
import { readFileSync } from 'node:fs';
import { isObject } from './json.ts';
import { yaml } from './libraries.ts';
import { parseYaml } from './read-yaml.ts';

/** A line of a file; its path is relative to the root of the repository. */
export interface YamlPlace {
  file: string;
  line: number;
  /** How long the line is, in UTF-16 code units. */
  length: number;
}

/** Finds places by name; undefined where nothing has that name. */
export interface YamlPlaces {
  operation(id: string): YamlPlace | undefined;
  /** The first place of a description that expresses the requirement, else its row in the register. */
  requirement(id: string): YamlPlace | undefined;
  requirementRow(id: string): YamlPlace | undefined;
  /** The first place of a description that the gap fills, else its row in the register. */
  gap(id: string): YamlPlace | undefined;
  /** The first line of the description, for what is about no line. */
  description: YamlPlace;
}

/** Reads the files, which takes some tenths of a second. */
export function readYamlPlaces(): YamlPlaces {
  const marks = new Map<string, YamlPlace>();
  for (const name of ['site-publishing.yaml', 'provisional.yaml']) addMarks(name, marks);
  const requirements = rowsOf('requirements');
  const gaps = rowsOf('gaps');
  return {
    operation: (id) => marks.get(`operationId ${id}`),
    requirement: (id) => marks.get(`x-requirement ${id}`) ?? requirements.get(id),
    requirementRow: (id) => requirements.get(id),
    gap: (id) => marks.get(`x-gap ${id}`) ?? gaps.get(id),
    description: placesIn('site-publishing.yaml', textOf('site-publishing.yaml'))(1),
  };
}

const keys = ['operationId', 'x-requirement', 'x-gap'];

/** Adds the places that are not there yet. */
function addMarks(name: string, marks: Map<string, YamlPlace>): void {
  const text = textOf(name);
  const placeAt = placesIn(name, text);
  const { document, lineAt } = parseYaml(text);
  yaml().visit(document, {
    Pair(_, { key, value }) {
      if (!yaml().isScalar(key) || !keys.includes(String(key.value))) return;
      const line = lineAt(key.range?.[0] ?? 0);
      for (const id of namesIn(value)) {
        const mark = `${key.value} ${id}`;
        if (!marks.has(mark)) marks.set(mark, placeAt(line));
      }
    },
  });
}

function namesIn(value: unknown): string[] {
  if (yaml().isSeq(value)) return value.items.flatMap(namesIn);
  return yaml().isScalar(value) ? [String(value.value)] : [];
}

function rowsOf(register: 'requirements' | 'gaps'): Map<string, YamlPlace> {
  const name = `${register}.yaml`;
  const text = textOf(name);
  const placeAt = placesIn(name, text);
  const { document, lineOf } = parseYaml(text);
  const content: unknown = document.toJS();
  const rows: unknown = isObject(content) ? content[register] : [];
  return new Map(
    (Array.isArray(rows) ? rows : []).map((row: unknown, index) => [
      isObject(row) ? String(row.id) : '',
      placeAt(lineOf([register, index])),
    ]),
  );
}

/** The places of a file by their lines. */
function placesIn(name: string, text: string): (line: number) => YamlPlace {
  const lines = text.split(/\r?\n/);
  return (line) => ({ file: `openapi/${name}`, line, length: lines[line - 1]?.length ?? 0 });
}

function textOf(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}
