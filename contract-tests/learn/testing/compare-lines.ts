import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../openapi/json.ts';
import { findGap } from '../../../openapi/registers.ts';
import { readCall, type StatedCall } from '../../../openapi/stated-call.ts';

export interface ExpectedLine {
  value: Record<string, unknown>;
  /** `untold`: the source does not show it. */
  known?: 'call-only' | 'untold';
  /** Members that the source does not show. */
  untold?: readonly string[];
}

/** Compares only method and path. */
export function isSameCall(value: unknown, expected: ExpectedLine): boolean {
  const [call, right] = [readCall(value), readCall(expected.value)];
  return call !== undefined && call.method === right?.method && bare(call.path) === bare(right.path);
}

/** Pointers, notes and pages may be missing. */
export function differencesIn(gap: string, value: unknown, expected: ExpectedLine): string[] {
  const [call, right] = [readCall(value), readCall(expected.value)];
  if (!call || !right) return [`${show(value)} instead of ${show(expected.value)}`];
  const [given, wanted] = [membersOf(gap, call), membersOf(gap, { ...promised(gap), ...right })];
  const names = [...new Set([...given.keys(), ...wanted.keys()])];
  const untold = expected.untold ?? [];
  return names
    .filter(
      (name) =>
        !untold.includes(name.replace(/\/.*/, '') || name) &&
        !isDeepStrictEqual(given.get(name), wanted.get(name)),
    )
    .filter((name) => given.has(name) || !mayBeLeftOut(name, wanted.get(name)))
    .map((name) => `${name} ${show(given.get(name))} instead of ${show(wanted.get(name))}`);
}

function bare(path: string): string {
  return path.replace(/\{\w+\}/g, '{}');
}

/** Members by name; body and query by the places of their values. */
function membersOf(
  gap: string,
  { body, query, parameters: _query, auth, status, ...rest }: StatedCall,
): Map<string, unknown> {
  const isOpen = gap === 'operation.submit-form' || gap === 'operation.create-comment';
  const usual = { auth: auth ?? (isOpen ? 'none' : 'bearer'), status: status ?? 200 };
  return new Map(
    Object.entries({ ...rest, ...usual, ...leavesOf(body, 'body'), ...leavesOf(query, 'query') }),
  );
}

/** Default pointers. */
function promised(gap: string): Record<string, string> {
  const isList = findGap(gap)?.reads?.includes('list');
  return isList ? { list: '/data/list', total: '/data/total' } : {};
}

function leavesOf(template: unknown, place: string): Record<string, unknown> {
  if (!isObject(template)) return template === undefined ? {} : { [place]: template };
  return Object.assign(
    {},
    ...Object.entries(template).map(([key, part]) => leavesOf(part, `${place}/${key}`)),
  );
}

const optional = ['note', 'page', 'page_size', 'offset', 'limit', 'cursor'].map((name) => `{${name}}`);

function mayBeLeftOut(name: string, value: unknown): boolean {
  const isPointer = !/^(method|path|auth|status|body|query)(\/|$)/.test(name);
  return isPointer || optional.includes(String(value));
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}
