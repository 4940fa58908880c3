// Varies random operations: queries, and calls that share a path.
import { isObject, type Json } from '../../../openapi/json.ts';
import { createNamer } from './draw-names.ts';
import type { Habits } from './draw-operations.ts';

/** `drawn`: operations by gap id. */
export function varyCalls(drawn: Readonly<Record<string, unknown>>, habits: Habits): Record<string, unknown> {
  const calls = Object.entries(drawn).map(([id, value]) => [id, varyCall(value, habits)]);
  return joinContents(joinPublishes(Object.fromEntries(calls), habits), habits);
}

function varyCall(value: unknown, habits: Habits): unknown {
  if (!isObject(value) || typeof value.path !== 'string') return value;
  const { random } = habits;
  const moved = random.chance(0.15) ? moveIntoQuery(value, habits) : value;
  const called = random.chance(0.1) ? addConstant(moved, habits) : moved;
  if (called.auth === 'none' || random.chance(0.88)) return called;
  return { ...called, auth: random.pick(['session', 'session', 'api-key']) };
}

/** Turns the last placeholder of a path into a query parameter, in the path or in `query`. */
function moveIntoQuery(call: Json, { style, random }: Habits): Json {
  const path = String(call.path);
  const [segment = '', name = ''] = [...path.matchAll(/\/\{(\w+)\}(?=\/|$)/g)].at(-1) ?? [];
  const rest = path.replace(segment, '');
  if (name === '' || rest === '') return call;
  const parameter = createNamer(style, random).name(name);
  const stated = (call.query ?? {}) as Json;
  if (Object.hasOwn(stated, parameter)) return call;
  if (random.chance(0.5)) return { ...call, path: `${rest}?${encodeURIComponent(parameter)}={${name}}` };
  return { ...call, path: rest, query: { ...stated, [parameter]: `{${name}}` } };
}

function addConstant(call: Json, { random }: Habits): Json {
  const path = String(call.path);
  return {
    ...call,
    path: `${path}${path.includes('?') ? '&' : '?'}api%20kind=${random.pick(['site', '1', ''])}`,
  };
}

/** Makes only a member of the body distinguish a failing publish from a normal one. */
function joinPublishes(calls: Record<string, unknown>, { style, random }: Habits): Record<string, unknown> {
  const [publish, fail] = [calls['operation.publish-site'], calls['operation.fail-publish']];
  if (!isObject(publish) || !isObject(fail) || publish.method === 'GET' || random.chance(0.65)) return calls;
  const { method, path, query, auth } = publish;
  const body = (publish.body ?? {}) as Json;
  const flag = createNamer(style, random).name('constant');
  if (flag in body) return calls;
  const { auth: _auth, query: _query, ...own } = fail;
  const shared = {
    ...own,
    ...{ method, path },
    ...(query !== undefined && { query }),
    ...(auth !== undefined && { auth }),
    body: { ...body, [flag]: random.pick([true, 1, 'fail', { dry: ['run'] }]) },
  };
  return { ...calls, 'operation.fail-publish': shared };
}

function joinContents(calls: Record<string, unknown>, { random }: Habits): Record<string, unknown> {
  const isPossible =
    isObject(calls['operation.create-content']) && isObject(calls['operation.publish-content']);
  if (!isPossible || random.chance(0.75)) return calls;
  return { ...calls, 'operation.publish-content': { by: 'create-content' } };
}
