// docs/reference/profile.md, from openapi/gaps.yaml.
import { isObject, type Json } from '../../openapi/json.ts';
import { gapValue, loadProfile } from '../../openapi/profile.ts';
import { findGap, type Gap, gaps } from '../../openapi/registers.ts';
import { code, escapeTags, inOneLine, pageHead, paragraphs, table } from './markdown.ts';
import { valuesOf } from './schema-text.ts';

const intro = `A profile is a YAML file that says how one deployment fills the gaps of the interface document. It maps ids of gaps to values:

\`\`\`yaml
# acme.yaml
login.token: /data/accessToken
webhook.timestamp-unit: milliseconds
operation.publish-site: { method: POST, path: "/tenant/sites/{siteID}/publish", version: /data/version }
operation.ai: not-offered
\`\`\`

A gap that the profile does not name has its default. [Describe a deployment](../guides/describe-a-deployment.md) shows how to write a profile.

- A **pointer** is a JSON Pointer into the whole response body, for example \`/data/session/token\`. \`absent\` means that the answer does not contain the value.
- A **template** is a JSON body in which placeholders such as \`{id}\` stand for values.
- An **operation** is \`not-offered\`, or a call with the members of [the table below](#operations).`;

const operationIntro = `The interface document names these operations but does not show how to call them (section 4). sitepub never calls an operation that the profile does not state. A value has these members:

| member | value |
| --- | --- |
| \`method\` (required) | \`GET\`, \`POST\`, \`PUT\`, \`PATCH\` or \`DELETE\` |
| \`path\` (required) | path after \`/api/v1\`, with placeholders |
| \`auth\` | \`bearer\` (session or API key, the default), \`session\`, \`api-key\` or \`none\` |
| \`body\` | template of the request body |
| \`query\` | map of parameters to placeholders or constants |
| \`status\` | HTTP status of success, 200 to 299 (default: 200) |
| others, listed with each operation | pointers into the answer; \`item.…\` points into an entry of \`list\` |

A call may omit the placeholders that are marked as optional. The value \`{ by: OPERATION }\` says that another operation does the same.`;

/** Headings, by the first part of the ids below them. */
const groups: Readonly<Record<string, readonly string[]>> = {
  'Login and session tokens': ['login', 'token', 'refresh', 'session'],
  'Webhook subscriptions': ['subscription'],
  'Test of a subscription': ['hook-test'],
  Pushes: ['webhook', 'channel', 'event-data'],
  Errors: ['errors'],
  'Limits and idempotency': ['limits', 'idempotency'],
  'Publishes and API keys': ['publish', 'keys'],
  Operations: ['operation'],
};

const intros: Readonly<Record<string, () => string>> = {
  Operations: () => operationIntro,
  Errors: errorKinds,
};
const offered = loadProfile('default');

/** The text of the page. */
export function profilePage(): string {
  const sections = Object.entries(groups).flatMap(([heading, prefixes]) => [
    `## ${heading}`,
    intros[heading]?.() ?? '',
    ...gaps.filter(({ id }) => prefixes.includes(id.split('.')[0] ?? '')).map(entryOf),
  ]);
  return `${paragraphs([pageHead('openapi/gaps.yaml', 'Profiles and gaps'), intro, ...sections])}\n`;
}

function entryOf(gap: Gap): string {
  const { id, kind, question, section, quote, probe } = gap;
  const isCall = kind === 'operation';
  const quoted =
    quote === undefined ? `does not say (section ${section})` : `"${quote}" (section ${section})`;
  return paragraphs([
    `### ${id}`,
    escapeTags(question),
    [
      ...(isCall ? callLines(gap) : [...valueLines(gap), `- Interface document: ${escapeTags(quoted)}`]),
      ...(probe === undefined ? [] : [`- \`sitepub discover\`: ${escapeTags(probe)}`]),
    ].join('\n'),
  ]);
}

function valueLines({ id, kind, schema, default: guess, placeholders = [] }: Gap): string[] {
  const names = placeholders.map((name) => code(`{${name}}`)).join(', ');
  const values = (phrases[id] ?? phrases[kind] ?? valuesOf)(schema);
  const isTable = id === 'errors.codes';
  return [
    `- Values: ${values}${names === '' ? '' : ` with the placeholders ${names}`}`,
    `- Default: ${isTable ? 'the codes of the table above' : code(showValue(guess))}`,
  ];
}

const noValue = (schema: Json) => schema.oneOf ?? String(schema.pattern).includes('absent');

/** By the kind or the id of a gap. */
const phrases: Readonly<Record<string, (schema: Json) => string>> = {
  field: () => 'name of a field',
  pointer: (schema) => (noValue(schema) ? 'pointer, or `absent`' : 'pointer'),
  template: (schema) => (noValue(schema) ? '`none`, or a template' : 'template'),
  'errors.http-status': () => '`conventional`, `always-200`, or a map of kinds of errors to statuses',
  'errors.codes': () => 'map of kinds of errors to codes other than 0',
};

function callLines({ id, placeholders = [], query = [], reads = [], by = [] }: Gap): string[] {
  const stated = gapValue(offered, id);
  const lines: [string, readonly string[]][] = [
    ['Placeholders', placeholders.map((name) => `{${name}}`)],
    ['Optional placeholders of `query` and `body`', query.map((name) => `{${name}}`)],
    ['Pointers', reads],
    ['`by`', by],
  ];
  return [
    ...lines.flatMap(([label, names]) =>
      names.length === 0 ? [] : [`- ${label}: ${names.map(code).join(', ')}`],
    ),
    `- In the profile \`default\`: ${code(showValue(stated))}`,
  ];
}

function showValue(value: unknown): string {
  return typeof value === 'string' ? value : inOneLine(value);
}

function errorKinds(): string {
  const codes = findGap('errors.codes');
  const statuses = findGap('errors.http-status')?.conventional ?? {};
  const rows = Object.entries(codes?.meanings ?? {}).map(([kind, meaning]) => [
    code(kind),
    meaning,
    String(statuses[kind] ?? ''),
    String((isObject(codes?.default) ? codes.default[kind] : undefined) ?? ''),
  ]);
  return paragraphs([
    'The interface document defines no error codes and no HTTP statuses for errors. sitepub distinguishes these kinds. The table shows the statuses of `conventional`, and the default codes.',
    table(['kind', 'meaning', 'status', 'code'], rows),
  ]);
}
