// The calls of the control API, and which of them a request is for. Their description is read at the first call, since that would delay the mock's start.
import type { Description } from '../../openapi/description.ts';
import type { operations } from '../../openapi/generated/control-types.ts';
import type { Json } from '../../openapi/json.ts';
import { getAt } from '../../openapi/json-pointer.ts';
import { lazily } from '../../openapi/libraries.ts';
import { nearest } from '../../openapi/nearest.ts';
import { statedParameters } from '../../openapi/operations.ts';
import { methods, readDescription } from '../../openapi/resolve.ts';
import { createErrorFinder, type ErrorFinder } from '../../openapi/validate.ts';
import { ControlError } from './control-error.ts';
import { shorten } from './explain-input.ts';

export interface ControlContract {
  calls: readonly ControlCall[];
  findErrors: ErrorFinder;
}

/** A call as described. Schemas are JSON Pointers into the description. */
export interface ControlCall {
  id: keyof operations;
  method: string;
  turn: Turn;
  /** Of the path; one in braces matches any. */
  segments: readonly string[];
  parameters: readonly ControlParameter[];
  body: { schema: string; isRequired: boolean } | undefined;
}

/** What a call needs of a world that a store persists, as the description explains. */
type Turn = 'none' | 'read' | 'journal' | 'change';

interface ControlParameter {
  name: string;
  place: 'query' | 'path';
  isInteger: boolean;
  schema: string;
}

/** The same for all mocks. */
export const controlContract: () => ControlContract = lazily(readContract);

/** A call by its operationId. */
export function controlCall(id: keyof operations): ControlCall {
  const call = controlContract().calls.find((one) => one.id === id);
  if (!call) throw new Error(`the call ${id} is not described`);
  return call;
}

/** A call as people write it, such as "GET /_mock/clock". */
export function callNameOf({ method, segments }: Pick<ControlCall, 'method' | 'segments'>): string {
  return `${method} /${segments.join('/')}`;
}

function readContract(): ControlContract {
  const description = readDescription('mock-control.yaml');
  const calls = Object.entries(description.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method] !== undefined)
      .map((method) => readCall(description, path, method)),
  );
  return { calls, findErrors: createErrorFinder(description) };
}

function readCall(description: Description, path: string, method: string): ControlCall {
  const at = `/paths/${path.replaceAll('/', '~1')}`;
  const operation = getAt(description, `${at}/${method}`) as Json;
  const body = operation.requestBody as { required?: boolean } | undefined;
  return {
    id: operation.operationId as keyof operations,
    method: method.toUpperCase(),
    turn: operation['x-turn'] as Turn,
    segments: path.split('/').slice(1),
    parameters: [at, `${at}/${method}`].flatMap((holder) => readParameters(description, holder)),
    body: body && {
      schema: `${at}/${method}/requestBody/content/application~1json/schema`,
      isRequired: body.required ?? false,
    },
  };
}

function readParameters(description: Description, holder: string): ControlParameter[] {
  return statedParameters(description, holder).map(({ parameter, schema }) => ({
    name: String(parameter.name),
    place: parameter.in === 'path' ? 'path' : 'query',
    isInteger: (parameter.schema as Json).type === 'integer',
    schema,
  }));
}

/** A message to an inbox, or a call of the control API. */
export type Target = { kind: 'message'; name: string; path: string } | { kind: 'call'; segments: string[] };

/** Reads the method and the address as they were sent. The guard and the calls share this one reading. */
export function readTarget(method: string, url: string): Target {
  const local = url.replace(/^https?:\/\/[^/?#]*/i, '');
  const [path = ''] = local.split(/[?#]/);
  const raw = path.split('/').slice(1);
  const segments = raw.map(decode);
  if (!isMessage(method, segments)) return { kind: 'call', segments };
  const inboxLength = raw.slice(0, 3).join('/').length + 1;
  return { kind: 'message', name: segments[2] ?? '', path: local.slice(inboxLength) };
}

/** Three calls use addresses that otherwise receive messages. */
function isMessage(method: string, [, place, name = '', last, ...rest]: readonly string[]): boolean {
  if (place !== 'inbox' || name === '') return false;
  if (last === undefined) return method !== 'PUT' && method !== 'DELETE';
  return (method !== 'GET' && method !== 'HEAD') || last !== 'messages' || rest.length > 0;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ControlError(400, 'the path is not percent-encoded as it must be');
  }
}

/** The answer to an unknown control call. */
export function noSuchCall(method: string, path: string): { error: string } {
  return { error: unknownCall(controlContract().calls, method, path) };
}

export function findCall(
  calls: readonly ControlCall[],
  method: string,
  segments: readonly string[],
): ControlCall {
  const samePath = calls.filter((call) => isAt(call, segments));
  const asked = method === 'HEAD' ? 'GET' : method;
  const call = samePath.find((candidate) => candidate.method === asked);
  if (call) return call;
  const path = `/${segments.join('/')}`;
  if (samePath.length === 0 || method === 'OPTIONS')
    throw new ControlError(404, unknownCall(calls, method, path));
  const allow = samePath.map((candidate) => candidate.method).join(', ');
  throw new ControlError(405, `${shorten(path)} does not take ${method}, only ${allow}`, { allow });
}

function isAt({ segments }: ControlCall, given: readonly string[]): boolean {
  const fits = (segment: string, index: number) =>
    segment.startsWith('{') ? given[index] !== '' : segment === given[index];
  return segments.length === given.length && segments.every(fits);
}

function unknownCall(calls: readonly ControlCall[], method: string, path: string): string {
  const paths = calls.map(({ segments }) => comparable(segments));
  const guess = nearest(shorten(comparable(path.split('/').slice(1))), paths);
  const near = calls.filter((_, index) => paths[index] === guess);
  const meant = near.find((call) => call.method === method) ?? near[0];
  const hint = meant ? `did you mean ${callNameOf(meant)}? There` : 'there';
  return `there is no ${shorten(`${method} ${path}`)}; ${hint} is ${calls.map(callNameOf).join(', ')}`;
}

/** Without what all paths have in common, and with the same sign for each identifier. */
function comparable([, ...segments]: readonly string[]): string {
  return segments.map((segment) => (/^(\d+|\{.*\})$/.test(segment) ? '{}' : segment)).join('/');
}
