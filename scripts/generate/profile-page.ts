// docs/reference/profile.md, from openapi/gaps.yaml.
import { stringify } from 'yaml';
import type { Json } from '../../openapi/json.ts';
import { gapValue, loadProfile } from '../../openapi/profile.ts';
import { findGap, type Gap, gaps } from '../../openapi/registers.ts';
import { block, code, escapeTags, pageHead, paragraphs, table } from './markdown.ts';

const intro = `A profile is a YAML file for one deployment, that is, one installation of the service. It answers the questions that the [interface document](interface-document.md) leaves open ([gaps](../explanation/promises-and-gaps.md)). It maps ids of gaps to values:

\`\`\`yaml
# acme.yaml
login.token: /data/accessToken
webhook.timestamp-unit: milliseconds
operation.publish-site: { method: POST, path: "/tenant/sites/{siteID}/publish", version: /data/version }
operation.ai: not-offered
\`\`\`

A gap that the profile does not name has the default below. [Describe a deployment](../guides/describe-a-deployment.md) shows how to write a profile.

- A **pointer** is a JSON Pointer into the whole response body, for example \`/data/session/token\`. \`absent\`: the answer does not contain the value.
- A **template** is a JSON body with placeholders for values, such as \`{id}\`.
- An **operation** is \`not-offered\`, \`{ by: OPERATION }\` if another operation does the same, or a call. Operations have no default: sitepub never calls one that the profile does not state. The calls below come from the packaged profile \`default\`.

A call has these members. Each gap below names the placeholders and pointers that its call may have. It also says what \`sitepub discover\` does to find the value.

| member | value |
| --- | --- |
| \`method\` (required) | \`GET\`, \`POST\`, \`PUT\`, \`PATCH\` or \`DELETE\` |
| \`path\` (required) | path after \`/api/v1\`, with placeholders |
| \`auth\` | \`bearer\` (session or API key, the default), \`session\`, \`api-key\` or \`none\` |
| \`body\` | template of the request body |
| \`query\` | map of parameters to placeholders or constants |
| \`status\` | HTTP status of success, 200 to 299 (default: 200) |
| pointers | places in the answer; \`item.…\` points into an entry of \`list\` |

The interface document defines no error codes and no HTTP statuses for errors. sitepub distinguishes these kinds of errors. The table shows their statuses with \`errors.http-status: conventional\`, and their default codes:`;

const byDefault = loadProfile('default');

export function profilePage(): string {
  return `${paragraphs([
    pageHead('openapi/gaps.yaml', 'Profiles and gaps'),
    intro,
    errorKinds(),
    ...gaps.map(entryOf),
  ])}\n`;
}

function entryOf(gap: Gap): string {
  const { id, kind, question, section, placeholders = [], query = [], reads = [], by = [], probe } = gap;
  const rows: [string, string][] = [
    ['Values', kind === 'operation' ? '' : valuesOf(gap)],
    ['Placeholders', [...placeholders, ...query].map((name) => code(`{${name}}`)).join(', ')],
    ['Pointers', reads.map(code).join(', ')],
    ['`by`', by.map(code).join(', ')],
    ['`sitepub discover`', escapeTags(probe ?? (kind === 'operation' ? fromFiles : 'does not determine it'))],
  ];
  return paragraphs([
    `## ${id}`,
    `${escapeTags(question)} (Interface document, section ${section}.)`,
    rows.flatMap(([label, text]) => (text === '' ? [] : `- ${label}: ${text}`)).join('\n'),
    block('yaml', stringify({ [id]: gapValue(byDefault, id) }, { lineWidth: 0 }).trimEnd()),
  ]);
}

const fromFiles = 'Read a description (`--openapi`) or a recording (`--har`), then make the call once.';

/** A phrase for the values of a gap. */
function valuesOf({ kind, schema }: Gap): string {
  const isOptional = JSON.stringify(schema).includes('absent');
  if (kind === 'pointer') return isOptional ? 'a pointer, or `absent`' : 'a pointer';
  if (kind === 'field') return 'the name of a field';
  if (kind === 'template') return schema.oneOf ? '`none`, or a template' : 'a template';
  return [schema, ...((schema.oneOf ?? []) as Json[])].flatMap(phraseOf).join(', ');
}

function phraseOf(schema: Json): string[] {
  const { enum: values, const: one, type, minimum, maximum, required } = schema;
  if (Array.isArray(values)) return values.map((value) => code(String(value)));
  if (one !== undefined) return [code(String(one))];
  if (Array.isArray(required)) return [`a map with ${required.map(code).join(' and ')}`];
  if (type === 'object') return ['a map of kinds of errors'];
  if (type === 'string') return [String(schema.description)];
  if (type !== 'integer') return [];
  return [`an integer from ${minimum}${maximum === undefined ? '' : ` to ${maximum}`}`];
}

function errorKinds(): string {
  const codes = findGap('errors.codes');
  const statuses = findGap('errors.http-status')?.conventional ?? {};
  const numbers = Object(codes?.default) as Record<string, unknown>;
  const rows = Object.entries(codes?.meanings ?? {}).map(([kind, meaning]) => [
    code(kind),
    meaning,
    String(statuses[kind] ?? ''),
    String(numbers[kind] ?? ''),
  ]);
  return table(['kind', 'meaning', 'status', 'code'], rows);
}
