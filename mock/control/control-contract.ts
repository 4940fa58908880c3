// Finds the call that a request is for and checks its input, both by openapi/mock-control.yaml.
import type { IncomingMessage } from 'node:http';
import type { operations } from '../../openapi/generated/control-types.ts';
import type { Json } from '../../openapi/json.ts';
import { getAt } from '../../openapi/json-pointer.ts';
import { lazily } from '../../openapi/libraries.ts';
import { nearest } from '../../openapi/nearest.ts';
import { statedParameters } from '../../openapi/operations.ts';
import { methods, readDescription } from '../../openapi/resolve.ts';
import { placeholdersOf } from '../../openapi/template.ts';
import { createErrorFinder } from '../../openapi/validate.ts';
import { bodyLimit, parseBody, receiveBytes } from '../http/read-body.ts';
import { assignLongJson } from '../world/long-ids.ts';
import { explain, refuse, shorten, unknownName } from './control-error.ts';
import type { AnyInput } from './controlled-mock.ts';

/** Schemas are JSON Pointers into the description. */
export type ControlCall = ReturnType<typeof readCall>;

/** Read on the first call, since reading it would delay the start of the mock. */
const description = lazily(() => readDescription('mock-control.yaml'));

export const controlCalls: () => readonly ControlCall[] = lazily(() =>
  Object.entries(description().paths).flatMap(([path, item]) =>
    methods.filter((method) => item[method] !== undefined).map((method) => readCall(path, method)),
  ),
);

export function controlCall(id: keyof operations): ControlCall {
  const call = controlCalls().find((one) => one.id === id);
  if (!call) throw new Error(`the call ${id} is not described`);
  return call;
}

function readCall(path: string, method: string) {
  const at = `/paths/${path.replaceAll('/', '~1')}`;
  const operation = getAt(description(), `${at}/${method}`) as Json;
  const body = operation.requestBody as { required?: boolean } | undefined;
  return {
    id: operation.operationId as keyof operations,
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    /** The turn that the call needs in a persisted world; the head of mock-control.yaml explains the values. */
    turn: operation['x-turn'] as 'none' | 'read' | 'journal' | 'change',
    segments: path.split('/').slice(1),
    inPath: placeholdersOf(path),
    parameters: [at, `${at}/${method}`].flatMap((holder) =>
      statedParameters(description(), holder).map(({ parameter, schema }) => ({
        name: String(parameter.name),
        place: parameter.in as 'path' | 'query',
        isInteger: (parameter.schema as Json).type === 'integer',
        schema,
      })),
    ),
    body: body && {
      schema: `${at}/${method}/requestBody/content/application~1json/schema`,
      isRequired: body.required ?? false,
    },
  };
}

export type Target = { kind: 'message'; name: string; path: string } | { kind: 'call'; segments: string[] };

/** Security: the guard and the routing use this one parser, so that they cannot disagree about a path. */
export function readTarget(method: string, url: string): Target {
  const local = url.replace(/^https?:\/\/[^/?#]*/i, '');
  const [path = ''] = local.split(/[?#]/);
  const raw = path.split('/').slice(1);
  const segments = raw.map(decode);
  const [, place, name = ''] = segments;
  const { id = 'sendMessage' } = callAt(method, segments) ?? {};
  // Any request to an inbox or below is a message, unless the path has another call.
  if (place !== 'inbox' || name === '' || id !== 'sendMessage') return { kind: 'call', segments };
  const inboxLength = raw.slice(0, 3).join('/').length + 1;
  return { kind: 'message', name, path: local.slice(inboxLength) };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return refuse(400, 'the path has an invalid percent-encoding');
  }
}

export function findCall(method: string, segments: readonly string[]): ControlCall {
  const call = callAt(method, segments);
  if (call) return call;
  const path = `/${segments.join('/')}`;
  const taken = controlCalls().filter((one) => isAt(one, segments));
  if (taken.length === 0 || method === 'OPTIONS') refuse(404, noSuchCall(method, path));
  const allow = taken.map((one) => one.method).join(', ');
  return refuse(405, `${shorten(path)} does not support ${method}; use ${allow}`, { allow });
}

function callAt(method: string, segments: readonly string[]): ControlCall | undefined {
  const asked = method === 'HEAD' ? 'GET' : method;
  return controlCalls().find((call) => call.method === asked && isAt(call, segments));
}

function isAt({ segments }: ControlCall, given: readonly string[]): boolean {
  const fits = (segment: string, index: number) =>
    segment.startsWith('{') ? given[index] !== '' : segment === given[index];
  return segments.length === given.length && segments.every(fits);
}

export function noSuchCall(method: string, path: string): string {
  const calls = controlCalls();
  const paths = calls.map(({ segments }) => comparable(segments));
  const guess = nearest(shorten(comparable(path.split('/').slice(1))), paths);
  const near = calls.filter((_, index) => paths[index] === guess);
  const meant = near.find((call) => call.method === method) ?? near[0];
  const hint = meant ? `did you mean ${meant.name}? Known` : 'known';
  const all = calls.map(({ name }) => name).join(', ');
  return `there is no ${shorten(`${method} ${path}`)}; ${hint} calls: ${all}`;
}

/** A form for comparing misspelt paths: without "_mock", and with "{}" for each identifier. */
function comparable([, ...segments]: readonly string[]): string {
  return segments.map((segment) => (/^(\d+|\{.*\})$/.test(segment) ? '{}' : segment)).join('/');
}

export async function readInput(
  call: ControlCall,
  sent: IncomingMessage,
  segments: readonly string[],
): Promise<AnyInput> {
  const given = segments.filter((_, index) => call.segments[index]?.startsWith('{'));
  const inPath = call.inPath.map((name, index) => [name, given[index] ?? ''] as const);
  const [, query = ''] = /^[^?#]*\?([^#]*)/.exec(sent.url ?? '') ?? [];
  return {
    path: readParameters(call, 'path', inPath),
    query: readParameters(call, 'query', [...new URLSearchParams(query)]),
    body: call.body ? checkBody(call, await readJson(call, sent)) : await readNothing(call, sent),
  };
}

/** Makes the input of a call in this process from its path parameters, then its body or its query. */
export function inputOf(call: ControlCall, given: readonly unknown[]): AnyInput {
  const last = given[call.inPath.length];
  return {
    path: Object.fromEntries(call.inPath.map((name, index) => [name, given[index]])),
    query: call.body ? {} : (last ?? {}),
    /** A getter, so that an invalid body makes an async call reject instead of throwing at its caller. */
    get body() {
      return call.body && checkBody(call, last ?? (call.body.isRequired ? last : {}));
    },
  };
}

/** Returns the mistakes of the value, or undefined if it fits the schema. `whole`: the name of the value in that text. */
export function misfitOf(schema: string, value: unknown, whole?: string): string | undefined {
  const errors = createErrorFinder(description())(schema, value);
  return errors.length === 0 ? undefined : explain(errors, whole);
}

const advices: Readonly<Record<string, string>> = {
  putWorld: '; send the answer of GET /_mock/world here, or a world file as "world" to POST /_mock/worlds',
};

function checkBody(call: ControlCall, body: unknown): unknown {
  const reason = misfitOf(call.body?.schema ?? '', body);
  return reason === undefined ? body : refuseInput(call, `${reason}${advices[call.id] ?? ''}`);
}

function readParameters(
  call: ControlCall,
  place: 'path' | 'query',
  pairs: readonly (readonly [name: string, text: string])[],
): object {
  const described = call.parameters.filter((one) => one.place === place);
  const values = new Map<string, unknown>();
  for (const [name, text] of pairs) {
    const parameter = described.find((one) => one.name === name);
    const known = described.map((one) => one.name);
    if (!parameter) refuseInput(call, `there is no ${place} parameter ${unknownName(name, known)}`);
    if (values.has(name)) refuseInput(call, `"${name}" appears twice in the ${place}`);
    const value = parameter.isInteger && /^-?\d{1,16}$/.test(text) ? Number(text) : text;
    const reason = misfitOf(parameter.schema, value, `"${name}" in the ${place}`);
    if (reason !== undefined) refuseInput(call, reason);
    values.set(name, value);
  }
  return Object.fromEntries(values);
}

async function readJson(call: ControlCall, sent: IncomingMessage): Promise<unknown> {
  const limit = call.id === 'putWorld' ? 64 * bodyLimit : bodyLimit;
  const bytes = await receiveBytes(sent, limit);
  if (bytes.length > limit) refuseInput(call, `the body is larger than ${limit} bytes`, 413);
  if (bytes.length === 0)
    return call.body?.isRequired ? refuseInput(call, 'expected a JSON body; it is empty') : {};
  const { text = '', problem } = parseBody(bytes, sent.headers);
  if (!problem) return JSON.parse(assignLongJson(text));
  return refuseInput(call, `${problem.message}${advices[call.id] ?? ''}`, statuses[problem.kind]);
}

const statuses: Readonly<Record<string, number>> = { 'unsupported-media-type': 415, 'body-too-large': 413 };

const mostBytesOfNothing = 16;

/** Refuses any body, so that a webhook subscribed to the address of a call does not make the call. */
async function readNothing(call: ControlCall, sent: IncomingMessage): Promise<undefined> {
  if (call.method === 'GET') return;
  const bytes = await receiveBytes(sent, bodyLimit);
  // Some clients send "{}" for no body.
  if (bytes.length <= mostBytesOfNothing && /^\s*(\{\s*\})?\s*$/.test(bytes.toString())) return;
  refuseInput(call, 'takes no body; send none');
}

function refuseInput({ name }: ControlCall, reason: string, status = 400): never {
  return refuse(status, `${name}: ${reason}`);
}
