import { visibleJson } from '../../contract-tests/core/visible-text.ts';
import { visibleYaml } from '../../contract-tests/core/visible-yaml.ts';
import { sayQuote } from '../../contract-tests/reports/say-quote.ts';
import { didYouMean } from '../../openapi/nearest.ts';
import { loadProfile } from '../../openapi/profile.ts';
import type { Given } from '../options/flags.ts';
import { UsageError } from '../options/usage-error.ts';
import { explainId, type Row, type RowKind, registerRows } from './registers.ts';

const lines: Readonly<Record<RowKind, (row: Row) => string>> = {
  requirements: ({ id, level, title, target, excluded }) =>
    `${id.padEnd(10)} ${String(level).padEnd(10)}  ${title}${whereChecked(target, excluded)}`,
  checks: ({ id, requirement, needs, command }) =>
    `${id.padEnd(42)} ${String(requirement).padEnd(10)} ${[...(needs as string[]), ...(command === 'test' ? [] : [`by ${command}`])].join(', ')}`,
  gaps: ({ id, question, default: guess }) =>
    `${id.padEnd(32)} ${question} [${typeof guess === 'string' ? guess : JSON.stringify(guess)}]`,
  profiles: ({ id, stated_gaps: count }) => `${id.padEnd(24)} states ${count} gaps`,
  faults: ({ id, requirement, title }) => `${id.padEnd(42)} ${String(requirement).padEnd(10)} ${title}`,
};

function whereChecked(target: unknown, excluded: unknown): string {
  if (target === 'receiver') return ' (checked by test-receiver)';
  return excluded ? ' (not checked against a deployment)' : '';
}

export async function list({ words: [what = ''], switched }: Given): Promise<number> {
  const names = Object.keys(lines) as RowKind[];
  const kind = names.find((name) => name === what);
  if (kind === undefined) {
    const hint = didYouMean(what, names, `; there are ${names.join(', ')}`);
    throw new UsageError(`there is no list of "${what}"${hint}`);
  }
  const rows = registerRows[kind]();
  console.log(switched('json') ? JSON.stringify(rows, null, 2) : rows.map(lines[kind]).join('\n'));
  return 0;
}

function withReadableQuotes(row: Row): Row {
  const isQuote = (name: string, value: unknown) => name === 'quote' && typeof value === 'string';
  return JSON.parse(
    JSON.stringify(row, (name, value) => (isQuote(name, value) ? sayQuote(value) : value)),
  ) as Row;
}

export async function explain({ words: [id = ''], switched }: Given): Promise<number> {
  const found = explainId(id, loadProfile('default'));
  console.log(switched('json') ? visibleJson(found, 2) : visibleYaml(withReadableQuotes(found)).trimEnd());
  return 0;
}
