// Reads sitepub.config.yaml. Loaded on demand, because YAML is slow to load.
import { hidesPassword } from '../../mock/store/store-url.ts';
import { findYamlMistakes, lineOf } from '../../mock/world-file/find-yaml-mistakes.ts';
import { explainErrors } from '../../openapi/explain-errors.ts';
import { isObject, type Json } from '../../openapi/json.ts';
import { createAjv, yaml } from '../../openapi/libraries.ts';
import { readNamedText } from '../../openapi/read-limited-text.ts';
import { expandedSize, parseYaml, type YamlFile } from '../../openapi/read-yaml.ts';
import { configSchema } from './config-schema.ts';
import { withoutSecrets } from './deployment-options.ts';
import { UsageError } from './usage-error.ts';

export interface Config {
  file: string;
  deployments: Readonly<Record<string, readonly Entry[]>>;
  mock: readonly Entry[];
}

interface Entry {
  /** "credentials.site" is a member of a map. */
  name: string;
  texts: readonly string[];
  line: number;
}

export function loadConfig(file: string): Config {
  const text = readNamedText(file, mostBytes, (reason, advice = 'name a YAML file') => {
    return new UsageError(`the configuration ${file} can't be read (${reason}); ${advice}`);
  });
  return parseConfig(text, file);
}

const mostBytes = 1_048_576;

/** Throws UsageError with a line for each mistake. Messages never repeat possible secrets. */
export function parseConfig(text: string, file: string): Config {
  const parsed = parseYaml(text);
  const refuse = (problems: readonly { line: number; text: string }[]) => {
    const lines = problems.toSorted((one, other) => one.line - other.line);
    throw new UsageError(lines.map((one) => `${file}:${one.line}: ${one.text}`).join('\n'));
  };
  const mistakes = findMistakes(parsed, text);
  if (mistakes.length > 0) refuse(mistakes);
  const value = parsed.document.toJS({ maxAliasCount: -1 }) as {
    deployments?: Record<string, Json>;
    mock?: Json;
  };
  const validate = createAjv().compile(configSchema());
  if (!validate(value)) {
    const errors = explainErrors(validate.errors ?? [], { found });
    refuse(
      errors.map(({ path, member, text }) => ({
        line: lineOf(parsed, member === undefined ? path : [...path, member]),
        text: [path.map(nameOf).join('.'), text].filter(Boolean).join(': '),
      })),
    );
  }
  const { deployments = {}, mock = {} } = value;
  if (typeof mock.store === 'string' && hidesPassword(mock.store) && !mock.store.startsWith('${')) {
    const advice = `use a variable that contains the URL, such as \${STORE_URL}`;
    refuse([
      { line: lineOf(parsed, ['mock', 'store']), text: `mock.store: it contains a password; ${advice}` },
    ]);
  }
  const entriesOf = (map: Json, path: readonly string[], name: readonly string[] = []): Entry[] =>
    Object.entries(map).flatMap(([step, inner]) => {
      const steps = [...name, step];
      if (isObject(inner)) return entriesOf(inner, path, steps);
      const texts = [inner].flat().map(String);
      return [{ name: steps.join('.'), texts, line: lineOf(parsed, [...path, ...steps]) }];
    });
  return {
    file,
    deployments: Object.fromEntries(
      Object.entries(deployments).map(([name, map]) => [name, entriesOf(map, ['deployments', name])]),
    ),
    mock: entriesOf(mock, ['mock']),
  };
}

function findMistakes(parsed: YamlFile, text: string): { line: number; text: string }[] {
  const { document, lineAt } = parsed;
  const [first] = document.errors;
  if (first && text.startsWith('${', first.pos[0] - 1)) {
    const example = `{ password: "\${STAGING_PASSWORD}" }`;
    return [{ line: lineAt(first.pos[0]), text: `a variable inside braces needs quotes: ${example}` }];
  }
  const mistakes = findYamlMistakes(parsed, text, 'a map with "deployments" or "mock"');
  if (mistakes.length > 0) return mistakes;
  if (expandedSize(document) > mostBytes)
    return [{ line: 1, text: 'the file is too large once its aliases are expanded' }];
  yaml().visit(document, {
    Scalar: (_, node) => {
      // The parser has rounded a long identifier.
      if (/^\d{16,}$/.test(node.source ?? '')) node.value = node.source;
    },
  });
  return [];
}

/** An unusual name may be a secret in the wrong place. */
function nameOf(step: string): string {
  return /^(?!sp_)[\w-]{1,40}$/.test(step) ? step : '…';
}

function found(value: unknown, { type, writeOnly }: Json): string {
  if (writeOnly === true || type === 'object' || isObject(value)) return '';
  if (typeof value === 'string') return JSON.stringify(withoutSecrets(value).slice(0, 60));
  return `${JSON.stringify(value)}${type === 'string' && value !== null ? '; put it in quotes' : ''}`;
}
