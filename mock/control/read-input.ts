// Reads the input of a control call: path and query by the description, the body as JSON. The control validates the body itself.
import type { FastifyRequest } from 'fastify';
import { bodyLimit, parseBody, receiveBytes } from '../http/read-body.ts';
import { keepLongJson } from '../world/long-ids.ts';
import { type ControlCall, type ControlContract, callNameOf } from './control-contract.ts';
import { ControlError } from './control-error.ts';
import { advices, explain, unknownName } from './explain-input.ts';

export interface Input {
  path: Readonly<Record<string, string | number>>;
  query: Readonly<Record<string, string | number>>;
  body: unknown;
}

const worldLimit = 64 * bodyLimit;

export async function readInput(
  contract: ControlContract,
  call: ControlCall,
  { request, segments }: { request: FastifyRequest; segments: readonly string[] },
): Promise<Input> {
  const inPath = call.segments.flatMap((segment, index) =>
    segment.startsWith('{') ? [[segment.slice(1, -1), segments[index] ?? ''] as const] : [],
  );
  return {
    path: readParameters(contract, call, inPath),
    query: readParameters(contract, call, readQuery(call, request.raw.url ?? '')),
    body: call.body ? await readJson(call, request) : await readNothing(call, request),
  };
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

function readParameters(contract: ControlContract, call: ControlCall, pairs: Pairs): Input['query'] {
  const read = ([name, text]: Pairs[number]) => {
    const parameter = call.parameters.find((candidate) => candidate.name === name);
    if (!parameter) return [name, text];
    const value = parameter.isInteger && /^-?\d{1,16}$/.test(text) ? Number(text) : text;
    const whole = `"${name}" in the ${parameter.place}`;
    const reason = explain(contract.findErrors, parameter.schema, value, whole);
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
