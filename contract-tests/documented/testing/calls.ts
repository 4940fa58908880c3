// Valid calls and their expected answers.
import pactum from 'pactum';
import { dereference, examplesOf, mediaTypeOf } from '../../../openapi/description.ts';
import type { Json } from '../../../openapi/json.ts';
import { readLayout, writeLayout } from '../../../openapi/layout.ts';
import {
  namesIn,
  type Operation,
  type OperationId,
  schemaAt,
  writeQuery,
  writeRequest,
} from '../../../openapi/operations.ts';
import { fillPath } from '../../../openapi/template.ts';
import { type BlackBox, type Described, describedAt, type Values } from './black-box.ts';

/** The operation that makes the thing which a placeholder identifies. */
const makers: Readonly<Record<string, OperationId>> = {
  subscriptionID: 'createSubscription',
  keyID: 'createKey',
  contentID: 'createContent',
  version: 'publishSite',
};

/** First creates the resources that lists and single reads show. */
const beforeLists: Readonly<Partial<Record<OperationId, readonly OperationId[]>>> = {
  testSubscription: ['createSubscription'],
  listSubscriptions: ['createSubscription'],
  listDeliveries: ['testSubscription'],
  listSites: ['createSite'],
  getSite: ['createSite'],
  deleteSite: ['createSite'],
  listKeys: ['createKey'],
  listContents: ['createContent', 'publishContent'],
  getContent: ['publishContent'],
  listSubmissions: ['submitForm'],
  listComments: ['createComment'],
};

/** The operations to call first, so that an operation has something to work on. */
function preparationsOf(operation: Operation): readonly OperationId[] {
  const made = namesIn(operation).flatMap((name) => makers[name] ?? []);
  return [...new Set([...made, ...(beforeLists[operation.id] ?? [])])];
}

/** Values that later calls take from an answer: name in the call, name in the answer. */
const given: Readonly<Partial<Record<OperationId, Readonly<Record<string, string>>>>> = {
  createSubscription: { id: 'id', subscriptionID: 'id' },
  createSite: { siteID: 'id' },
  publishSite: { version: 'version' },
  createKey: { keyID: 'id' },
  createContent: { contentID: 'id' },
};

export interface Message {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

export type Scheme = 'sessionToken' | 'apiKey';

/** Empty if the operation needs no Authorization. */
export function schemesOf(described: Described, operation: Operation): Scheme[] {
  const { security } = describedAt(described, operation);
  return (security as Json[]).flatMap((alternative) => Object.keys(alternative) as Scheme[]);
}

/** Builds a valid call. Without `values`, calls the preparations first. */
export async function callOf(
  box: BlackBox,
  operation: Operation,
  {
    scheme = schemesOf(box, operation).at(-1),
    values,
  }: { scheme?: Scheme | undefined; values?: Values } = {},
): Promise<Message> {
  const known = values ?? (await prepare(box, operation));
  const token = await tokenFor(box, scheme);
  const body = writeRequest(operation, known);
  return {
    method: operation.method,
    path: fillPath(operation.path, known) + writeQuery(operation, known),
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

/** Returns the values for the operation's own call. */
export async function prepare(box: BlackBox, subject: Operation): Promise<Values> {
  let values = box.sent;
  for (const before of preparationsOf(subject)) {
    const { operation, answer } = await succeed(box, before, values);
    const shown = readLayout(operation.success.layout, answer);
    const learnt = Object.entries(given[before] ?? {}).map(([name, from]) => [name, shown[from]]);
    values = { ...values, ...Object.fromEntries(learnt) };
  }
  await box.control.drain();
  return values;
}

export async function tokenFor(box: BlackBox, scheme: Scheme | undefined): Promise<string | undefined> {
  if (scheme !== 'sessionToken') return scheme && box.apiKey;
  const { operation, answer } = await succeed(box, 'login', box.sent);
  return String(readLayout(operation.success.layout, answer).token);
}

async function succeed(box: BlackBox, id: OperationId, values: Values) {
  const operation = box.operations.get(id);
  if (!operation) throw new Error(`the profile ${box.profile.name} does not offer ${id}`);
  const message = await callOf(box, operation, { values });
  const answer: unknown = await send(box, message).expectStatus(operation.success.status).returns('.');
  return { operation, answer };
}

/** Prints nothing, because a failed expectation explains itself. */
export function send({ baseUrl }: BlackBox, { method, path, headers, body }: Message) {
  const spec = pactum
    .spec()
    .withMethod(method)
    .withPath(baseUrl + path)
    .withHeaders(headers)
    .withRequestTimeout(30_000)
    .inspect(false);
  return body === undefined ? spec : spec.withBody(body);
}

/** Adds the referenced components. `lax` ignores members outside JSON Schema, such as `x-gap`. */
function whole({ description }: BlackBox, schema: Json): [schema: object, options: object] {
  return [{ ...schema, components: description.components }, { mode: 'lax' }];
}

/** Arguments of `expectJsonSchema`. */
export function successSchema(box: BlackBox, { success }: Operation): [schema: object, options: object] {
  return whole(box, schemaAt(box.description, success.schema));
}

export function schemaOfStatus(
  box: BlackBox,
  operation: Operation,
  status: number,
): [schema: object, options: object] {
  const responses = describedAt(box, operation).responses as Record<string, Json>;
  const response = dereference(box.description, responses[String(status)] ?? responses.default ?? {});
  return whole(box, mediaTypeOf(response)?.schema as Json);
}

/** The example of the description, with patterns for values that the service chooses. */
export function exampleOf(box: BlackBox, operation: Operation): object {
  const { success, id } = operation;
  const responses = describedAt(box, operation).responses as Record<string, Json>;
  const examples = examplesOf(mediaTypeOf(responses[String(success.status)]));
  const example = structuredClone(examples.find(({ summary }) => summary === id)?.value as Json);
  const { list, ...values } = readLayout(success.layout, example);
  const items = (list as Values[] | undefined)?.map((item) => withPatterns(operation, item));
  const expected = { ...example, trace_id: /\S/ };
  writeLayout(
    success.layout,
    { ...withPatterns(operation, values), ...(items && { list: items }) },
    expected,
  );
  return expected;
}

/** Values that clients choose and answers repeat. */
const repeated = [
  'name',
  'url',
  'events',
  'channel',
  'title',
  'text',
  'form',
  'fields',
  'author',
  'event',
  'state',
];

function withPatterns(operation: Operation, values: Values): Values {
  // The AI generates its own text.
  const isRepeated = (name: string) =>
    repeated.includes(name) && !(operation.id === 'askAi' && name === 'text');
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isRepeated(name) ? value : patternFor(value)]),
  );
}

function patternFor(value: unknown): unknown {
  if (typeof value === 'number') return /^\d+$/;
  if (typeof value === 'boolean') return /^(true|false)$/;
  return Array.isArray(value) ? [] : /\S/;
}

export function carries(operation: Operation, ...names: readonly string[]): boolean {
  return namesIn(operation).some((name) => names.includes(name));
}
