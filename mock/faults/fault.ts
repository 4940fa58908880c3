// A fault breaks one promise of the interface document and keeps all others: with it on, the suite must fail exactly its requirement.
// Where the document does not forbid it in so many words, the suite must make a remark and fail nothing.

import { isObject, type Json } from '../../openapi/json.ts';
import type { Steps } from '../service.ts';
import type { Source } from '../world/random.ts';
import type { Turn } from '../world/turn.ts';
import type { Memory } from './memory.ts';

export interface Fault {
  id: string;
  /** What the service does wrong. */
  title: string;
  /** The requirement it breaks. */
  requirement: string;
  /** The id of the suite's remark, where the document does not forbid it in so many words. */
  remark?: string;
  wrap: Wrap;
}

/** Returns replacements for some steps. Called when the faults are chosen, by each process: what has to last stands in the memory. */
export type Wrap = (steps: Steps, tools: FaultTools) => Partial<Steps>;

interface FaultTools {
  /** A random source for this fault: the same seed and text yield the same numbers. */
  draw(text: string): Source;
  memory: Memory;
  /** For what changes the world after something was waited for. */
  change: Turn;
}

/**
 * Rows by requirement, id, `(remark <id>)` where the suite makes one, and title. The formatter breaks a row after its arrow.
 * A default parameter of a row holds what goes from one step of a call to a later one.
 */
type Table = Record<`${Uppercase<string>}-${number} ${string}: ${string}.`, (tools: FaultTools) => Wrap>;

const rowName = /^(?<requirement>\S+) (?<id>\S+)( \(remark (?<remark>\S+)\))?: (?<title>.+)$/;

export function faultsOf(table: Table): readonly Fault[] {
  return Object.entries(table).map(([name, row]) => {
    const { requirement = '', id = '', remark, title = '' } = rowName.exec(name)?.groups ?? {};
    const wrap: Wrap = (steps, tools) => row(tools)(steps, tools);
    return { id, title, requirement, ...(remark && { remark }), wrap };
  });
}

/** An operator that remembers something in the world. */
export function withMemory(create: (memory: Memory) => Wrap): Wrap {
  return (steps, tools) => create(tools.memory)(steps, tools);
}

/** Replaces a step; `next` is the one inside the wrap. */
export function around<Name extends keyof Steps>(
  name: Name,
  step: (next: Steps[Name], ...args: Parameters<Steps[Name]>) => ReturnType<Steps[Name]>,
): Wrap {
  return (steps) => ({ [name]: (...args: Parameters<Steps[Name]>) => step(steps[name], ...args) });
}

/** Changes what a step returns. */
export function after<Name extends keyof Steps>(
  name: Name,
  change: (result: ReturnType<Steps[Name]>, ...args: Parameters<Steps[Name]>) => ReturnType<Steps[Name]>,
): Wrap {
  return around(name, (next, ...args) => {
    const call = next as (...given: Parameters<Steps[Name]>) => ReturnType<Steps[Name]>;
    return change(call(...args), ...args);
  });
}

/** Applies several wraps, each around the one before. */
export function combineWraps(...wraps: readonly Wrap[]): Wrap {
  return (steps, tools) => {
    const changed: Partial<Steps> = {};
    for (const wrap of wraps) Object.assign(changed, wrap({ ...steps, ...changed }, tools));
    return changed;
  };
}

type Test = (...args: never[]) => boolean;

/** The condition of what concerns all. */
export const always = () => true;

/** Whether all tests hold; the first says of what. */
export function both<First extends Test>(first: First, ...others: readonly NoInfer<First>[]): First {
  return ((...args) => [first, ...others].every((test) => test(...args))) as First;
}

export function not<Given extends Test>(test: Given): Given {
  return ((...args) => !test(...args)) as Given;
}

export const isText = (value: unknown) => typeof value === 'string';
export const isNumber = (value: unknown) => typeof value === 'number';
export const isEmpty = (value: unknown) => value === '';
export const isNull = (value: unknown) => value === null;
export const isMissing = (value: unknown) => value === undefined;

/** Changes a member by its path, such as `data.total`. One that becomes undefined is left out. */
export function changeAt(given: unknown, path: string, change: (value: unknown) => unknown): Json {
  const [, name, rest] = /^([^.]+)\.?(.*)$/.exec(path) ?? [];
  const object = isObject(given) ? given : {};
  if (name === undefined || rest === undefined) return object;
  const changed = { ...object, [name]: rest ? changeAt(object[name], rest, change) : change(object[name]) };
  if (changed[name] === undefined) delete changed[name];
  return changed;
}
