// Reads the input of a control call, and checks it against the description.
import type { FastifyRequest } from 'fastify';
import { bodyLimit, parseBody, receiveBytes } from '../http/read-body.ts';
import { keepLongJson } from '../world/long-ids.ts';
import type { AnyInput } from './calls/call.ts';
import { type ControlCall, callNameOf, controlContract } from './control-contract.ts';
import { ControlError } from './control-error.ts';
import { advices, explain, unknownName } from './explain-input.ts';

const worldLimit = 64 * bodyLimit;

/** Of a call over HTTP. */
export async function readInput(
  call: ControlCall,
  { request, segments }: { request: FastifyRequest; segments: readonly string[] },
): Promise<AnyInput> {
  const inPath = call.segments.flatMap((segment, index) =>
    segment.startsWith('{') ? [[segment.slice(1, -1), segments[index] ?? ''] as const] : [],
  );
  return {
    path: readParameters(call, inPath),
    query: readParameters(call, readQuery(call, request.raw.url ?? '')),
    body: call.body ? checkBody(call, await readJson(call, request)) : await readNothing(call, request),
  };
}

/** Of a call within the process: what stands in its path, then its body or its query. */
export function inputOf(call: ControlCall, given: readonly unknown[]): AnyInput {
  const names = call.segments.filter((segment) => segment.startsWith('{'));
  const last = given[names.length];
  return {
    path: Object.fromEntries(names.map((name, index) => [name.slice(1, -1), given[index]])),
    query: call.body ? {} : (last ?? {}),
    /** Checked when the call takes it: then an async call rejects, and any other throws. */
    get body() {
      return call.body && checkBody(call, last ?? (call.body.isRequired ? last : {}));
    },
  };
}

/** Throws a ControlError if the body does not fit the description. */
function checkBody(call: ControlCall, body: unknown): unknown {
  const reason = explain(controlContract().findErrors, call.body?.schema ?? '', body);
  return reason === undefined ? body : refuse(call, `${reason}${advices[call.id] ?? ''}`);
}

type Pairs = readonly (readonly [name: string, text: string])[];

function readQuery(call: ControlCall, url: string): Pairs {
  const [, query = ''] = /^[^?#]*\?([^#]*)/.exec(url) ?? [];
  const pairs = [...new URLSearchParams(query)];
  const known = call.parameters.filter(({ place }) => place === 'query').map(({ name }) => name);
  for (const [index, [name]] of pairs.entries()) {
    if (!known.includes(name)) refuse(call, `there is no query parameter ${unknownName(name, known)}`);
    if (pairs.findIndex(([other]) => other === name) < index)
      refuse(call, `"${name}" appears twice in the query`);
  }
  return pairs;
}

function readParameters(call: ControlCall, pairs: Pairs): object {
  const read = ([name, text]: Pairs[number]) => {
    const parameter = call.parameters.find((candidate) => candidate.name === name);
    if (!parameter) return [name, text];
    const value = parameter.isInteger && /^-?\d{1,16}$/.test(text) ? Number(text) : text;
    const whole = `"${name}" in the ${parameter.place}`;
    const reason = explain(controlContract().findErrors, parameter.schema, value, whole);
    if (reason !== undefined) refuse(call, reason);
    return [name, value];
  };
  return Object.fromEntries(pairs.map(read));
}

async function readJson(call: ControlCall, { raw }: FastifyRequest): Promise<unknown> {
  const limit = call.id === 'putWorld' ? worldLimit : bodyLimit;
  const bytes = await receiveBytes(raw, limit);
  if (bytes.length > limit)
    throw new ControlError(413, `${callNameOf(call)}: the body is larger than ${limit} bytes`);
  if (bytes.length === 0)
    return call.body?.isRequired ? refuse(call, 'a JSON body is needed; it is empty') : {};
  const { text = '', problem } = parseBody(bytes, raw.headers);
  if (!problem) return JSON.parse(keepLongJson(text));
  const status = problem.kind === 'unsupported-media-type' ? 415 : 400;
  throw new ControlError(status, `${callNameOf(call)}: ${problem.message}${advices[call.id] ?? ''}`);
}

/** A webhook that is subscribed to the address of a call has a body, and must not be taken for the call. */
async function readNothing(call: ControlCall, { raw }: FastifyRequest): Promise<undefined> {
  if (call.method === 'GET') return;
  const bytes = await receiveBytes(raw, bodyLimit);
  // Some clients send an empty object where there is nothing to say.
  if (bytes.length <= longestNothing && /^\s*(\{\s*\})?\s*$/.test(bytes.toString())) return;
  refuse(call, 'takes no body; send none');
}

/** In bytes. */
const longestNothing = 16;

function refuse(call: ControlCall, reason: string): never {
  throw new ControlError(400, `${callNameOf(call)}: ${reason}`);
}
