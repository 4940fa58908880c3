// docs/reference/control-api.md, from openapi/mock-control.yaml.
import { type Description, dereference, examplesOf } from '../../openapi/description.ts';
import { isObject, type Json } from '../../openapi/json.ts';
import { methods, readDescription } from '../../openapi/resolve.ts';
import { block, code, escapeTags, pageHead, paragraphs, sentence, showJson, table } from './markdown.ts';
import { valuesOf } from './schema-text.ts';

const intro = `Programs in the same process call the methods of \`mock.control\` instead, for example \`await control.advance('PT36M')\`. Each method makes the HTTP call that is listed with it, and returns the same answer.

A tenant is named by its id or its name. Lists have pages of at most 100 entries: pass \`next\` of one answer as \`cursor\` of the next call. If you make more than one call, keep the same \`order\`.`;

/** Methods of `mock.control` whose arguments differ from those of their call. */
const ownMethods: Readonly<Record<string, string>> = {
  resetWorld: 'reset(tenant?, { keepsSessions }?)',
  moveClock: 'moveClock(body)`, `control.advance(duration)',
  clearOverrides: 'clearOverrides(operation?)',
  setFaults: 'setFaults(ids)',
  listLimits: 'limits(tenant?)',
  clearLimits: 'clearLimits(tenant?)',
  configureInbox: 'inbox(name).configure(body)',
  clearInbox: 'inbox(name).clear()',
  listMessages: 'inbox(name).messages(query?)',
  stream: 'watch(listener)',
};

/** Only the mock reads its members, so the page leaves them out. */
const opaque = 'World';

const description: Description = readDescription('mock-control.yaml');
const { schemas, responses } = description.components;

/** The text of the page. */
export function controlPage(): string {
  const { info, tags } = description as Description & { info: Json; tags: Json[] };
  const calls = Object.entries(description.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const call = item[method] as Json | undefined;
      const shared = (item.parameters ?? []) as Json[];
      return call === undefined
        ? []
        : [{ tag: (call.tags as string[])[0], text: callOf(method, path, shared, call) }];
    }),
  );
  const sections = tags.map(({ name, description: about }) =>
    paragraphs([
      `## ${titleOf(String(name))}`,
      String(about),
      ...calls.filter(({ tag }) => tag === name).map(({ text }) => text),
    ]),
  );
  return `${paragraphs([
    pageHead('openapi/mock-control.yaml', 'Control API of the mock'),
    escapeTags(String(info.description)),
    intro,
    `Answers other than those below are \`{ "error": "…" }\`. ${escapeTags(String(responses.Refused?.description))} Status 500: ${responses.Failed?.description}`,
    ...sections,
    '## Objects',
    ...Object.entries(schemas)
      .filter(([, schema]) => isMap(schema))
      .map(objectOf),
  ])}\n`;
}

function callOf(method: string, path: string, shared: readonly Json[], call: Json): string {
  const parameters = [...shared, ...((call.parameters ?? []) as Json[])].map((one) =>
    dereference(description, one),
  );
  const body = call.requestBody as Json | undefined;
  const answer = dereference(description, (call.responses as Record<string, Json>)['200'] ?? {});
  return paragraphs([
    `### ${method.toUpperCase()} ${path}`,
    escapeTags(`${sentence(String(call.summary))} ${call.description}`),
    methodOf(parameters, body, call),
    table(
      ['parameter', 'in', 'value', 'meaning'],
      parameters.map((one) => [
        code(String(one.name)),
        String(one.in),
        withDefault(one.schema as Json),
        String(one.description ?? ''),
      ]),
    ),
    ...messageOf('Body', body),
    ...messageOf('Answer', answer, String(answer.description)),
  ]);
}

function withDefault(schema: Json): string {
  const values = valuesOf(schema, nameRef);
  return schema.default === undefined ? values : `${values} (default: ${schema.default})`;
}

function methodOf(parameters: readonly Json[], body: Json | undefined, call: Json): string {
  const { operationId, 'x-method': name = operationId } = call;
  const own = ownMethods[String(operationId)];
  if (own !== undefined) return `Method: \`control.${own}\``;
  if (name === false) return '';
  const ofPath = parameters.filter((one) => one.in === 'path').map((one) => String(one.name));
  const hasQuery = parameters.some((one) => one.in === 'query');
  const ofBody = body?.required === true ? ['body'] : ['body?'];
  const others = body ? ofBody : hasQuery ? ['query?'] : [];
  return `Method: \`control.${name}(${[...ofPath, ...others].join(', ')})\``;
}

/** The form and an example of a body or an answer. */
function messageOf(label: string, message: Json | undefined, about = ''): string[] {
  const [mediaType, media] = Object.entries((message?.content ?? {}) as Record<string, Json>)[0] ?? [];
  if (media === undefined) return [];
  const schema = (media.schema ?? {}) as Json;
  const named = typeof schema.$ref === 'string' ? `: ${nameRef(schema.$ref)}` : '';
  const type = mediaType === 'application/json' ? '' : ` (${code(String(mediaType))})`;
  const [example] = examplesOf(media);
  return [
    `**${label}**${type}${named}${about === '' ? '' : `. ${about}`}`,
    isMap(schema) ? membersTable(schema) : '',
    example === undefined ? '' : exampleOf(example.value),
  ];
}

function exampleOf(value: unknown): string {
  return typeof value === 'string' ? block('text', value.trimEnd()) : block('json', showJson(value));
}

function objectOf([name, schema]: [string, Json]): string {
  const about = schema.description === undefined ? '' : sentence(String(schema.description));
  return paragraphs([`### ${name} object`, about, name === opaque ? '' : membersTable(schema)]);
}

function isMap(schema: Json): boolean {
  return isObject(schema.properties) || Array.isArray(schema.allOf);
}

function membersTable(schema: Json): string {
  return table(['member', 'value', 'meaning'], rowsOf(schema, ''));
}

/** The members of inner objects and of items of lists follow, as "attempts[].at". */
function rowsOf(schema: Json, before: string): string[][] {
  const { properties, required } = mergedOf(schema);
  return Object.entries(properties).flatMap(([name, one]) => {
    const path = `${before}${name}`;
    const item = one.type === 'array' ? (one.items as Json) : one;
    const isInner = isMap(item);
    const value = isInner ? (item === one ? 'object' : 'list of objects') : valuesOf(one, nameRef);
    const row = [
      code(path),
      required.includes(name) ? value : `${value} (optional)`,
      String(one.description ?? (one.$ref ? (dereference(description, one).description ?? '') : '')),
    ];
    return isInner ? [row, ...rowsOf(item, item === one ? `${path}.` : `${path}[].`)] : [row];
  });
}

/** The members of an object, with those that `allOf` adds. */
function mergedOf(schema: Json): { properties: Record<string, Json>; required: string[] } {
  const parts = ((schema.allOf ?? []) as Json[]).map((part) => mergedOf(dereference(description, part)));
  return {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), schema.properties),
    required: [...parts.flatMap(({ required }) => required), ...((schema.required ?? []) as string[])],
  };
}

/** A link to an object; of any other schema, its values. */
function nameRef(ref: string): string {
  const name = ref.split('/').at(-1) ?? '';
  const schema = schemas[name] ?? {};
  return isMap(schema) ? `[${name}](#${name.toLowerCase()}-object)` : valuesOf(schema, nameRef);
}

function titleOf(name: string): string {
  return `${name[0]?.toUpperCase()}${name.slice(1)}`;
}
