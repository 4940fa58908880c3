// Compares how an operation is said to be called with how it is called.
import { isDeepStrictEqual } from 'node:util';
import { formatPointer } from '../../../openapi/json-pointer.ts';
import { findGap } from '../../../openapi/registers.ts';
import type { StatedCall } from '../../../openapi/stated-call.ts';
import { placeholdersOf, type Template } from '../../../openapi/template.ts';

export interface Differences {
  /** What is wrong. */
  differences: readonly string[];
  /** What is missing and may be, and what differs where the description does not tell. */
  notes: readonly string[];
}

interface RightCall {
  call: StatedCall;
  /** The members of the call that the description does not tell. */
  untold: readonly string[];
}

export function compareCalls(gap: string, learnt: StatedCall, { call, untold }: RightCall): Differences {
  return join([
    compareRequestLine(learnt, call),
    compareQueries(learnt, call),
    compareTemplates(learnt.body, call.body),
    compareRest({ name: 'status', learnt: learnt.status ?? 200, right: call.status ?? 200 }, untold),
    compareRest({ name: 'auth', learnt: authOf(gap, learnt), right: authOf(gap, call) }, untold),
    ...(findGap(gap)?.reads ?? []).map((read) => comparePointers(read, learnt[read], call[read])),
  ]);
}

function compareRequestLine(learnt: StatedCall, call: StatedCall): Differences {
  const wrong: string[] = [];
  if (learnt.method !== call.method) wrong.push(`method ${learnt.method} instead of ${call.method}`);
  const bare = (path: string) => path.replace(/\{\w+\}/g, '{}');
  if (bare(learnt.path) !== bare(call.path)) wrong.push(`path ${learnt.path} instead of ${call.path}`);
  else if (learnt.path !== call.path)
    wrong.push(`placeholders of the path: ${learnt.path} instead of ${call.path}`);
  return { differences: wrong, notes: [] };
}

function compareQueries(learnt: StatedCall, call: StatedCall): Differences {
  const names = [...new Set([...Object.keys(call.query), ...Object.keys(learnt.query)])];
  return join(
    names.map((name) => {
      const [given, right] = [learnt.query[name], call.query[name]];
      if (given === right) return none;
      return compareLeaf(`query parameter ${name}`, given, right);
    }),
  );
}

/** Each value at its place; `undefined` is no body. */
export function compareTemplates(learnt: Template, right: Template): Differences {
  const [given, wanted] = [leavesOf(learnt), leavesOf(right)];
  const places = [...new Set([...wanted.keys(), ...given.keys()])];
  return join(
    places.map((place) => {
      const [one, other] = [given.get(place), wanted.get(place)];
      if (given.has(place) && wanted.has(place) && isDeepStrictEqual(one, other)) return none;
      const where = `body at "${place}"`;
      if (!wanted.has(place))
        return { differences: [`${where}: ${show(one)}, which no call needs`], notes: [] };
      return given.has(place) ? compareLeaf(where, one, other) : compareLeaf(where, undefined, other);
    }),
  );
}

function compareLeaf(where: string, given: unknown, right: unknown): Differences {
  if (right === undefined)
    return { differences: [`${where}: ${show(given)}, which no call needs`], notes: [] };
  if (given !== undefined)
    return { differences: [`${where}: ${show(given)} instead of ${show(right)}`], notes: [] };
  const names = placeholdersOf(right);
  const mayBeLeftOut = names.length > 0 && names.every((name) => optional.includes(name));
  const text = `${where}: lacks ${show(right)}`;
  return mayBeLeftOut ? { differences: [], notes: [text] } : { differences: [text], notes: [] };
}

/** What a call may leave out: a publish needs no note, and what is about pages is never needed. */
const optional = ['note', 'event', 'page', 'page_size', 'offset', 'limit', 'cursor'];

interface Rest {
  name: string;
  learnt: unknown;
  right: unknown;
}

function compareRest({ name, learnt, right }: Rest, untold: readonly string[]): Differences {
  if (learnt === right) return none;
  const text = `${name} ${show(learnt)} instead of ${show(right)}`;
  return untold.includes(name) ? { differences: [], notes: [text] } : { differences: [text], notes: [] };
}

/** What a call takes where nothing is said. */
function authOf(gap: string, { auth }: StatedCall): unknown {
  const isOpen = gap === 'operation.submit-form' || gap === 'operation.create-comment';
  return auth ?? (isOpen ? 'none' : 'bearer');
}

function comparePointers(read: string, learnt: unknown, stated: unknown): Differences {
  const right = stated ?? promised[read];
  if (learnt === right || (learnt === undefined && stated === undefined)) return none;
  if (learnt === undefined) return { differences: [], notes: [`lacks ${read} ${show(right)}`] };
  const instead = right === undefined ? 'which the answer does not show' : `instead of ${show(right)}`;
  return { differences: [`${read} ${show(learnt)}, ${instead}`], notes: [] };
}

/** Where these are when nothing is said. */
const promised: Readonly<Record<string, string>> = { list: '/data/list', total: '/data/total' };

/** The members of a template that are no objects with members, by their places. */
function leavesOf(template: Template, place: readonly string[] = []): Map<string, unknown> {
  if (template === undefined) return new Map();
  const isBranch = typeof template === 'object' && template !== null && Object.keys(template).length > 0;
  if (!isBranch) return new Map(isEmptyRoot(template, place) ? [] : [[formatPointer(place), template]]);
  return new Map(Object.entries(template).flatMap(([key, part]) => [...leavesOf(part, [...place, key])]));
}

/** A body without members says no more than no body. */
function isEmptyRoot(template: Template, place: readonly string[]): boolean {
  return place.length === 0 && typeof template === 'object';
}

function join(all: readonly Differences[]): Differences {
  return {
    differences: all.flatMap(({ differences }) => differences),
    notes: all.flatMap(({ notes }) => notes),
  };
}

const none: Differences = { differences: [], notes: [] };

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}
