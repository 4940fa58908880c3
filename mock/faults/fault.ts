// A fault breaks one requirement of the interface document: with it on, the suite must fail exactly that one.

import { isObject, type Json } from '../../openapi/json.ts';
import type { Steps } from '../service.ts';
import type { Source } from '../world/random.ts';
import type { Turn } from '../world/turn.ts';
import type { Memory } from './memory.ts';

export interface Fault {
  id: string;
  /** What the faulty service does, for example "accepts a truncated password". */
  title: string;
  requirement: string;
  /** The id of the suite's remark, which replaces the failure if the document does not expressly forbid the fault. */
  remark?: string;
  wrap: Wrap;
}

/** Returns replacements for some steps; each process calls it, so state that must last belongs in `memory`. */
export type Wrap = (steps: Steps, tools: FaultTools) => Partial<Steps>;

interface FaultTools {
  /** Returns a random source; the same seed, fault and text yield the same numbers. */
  draw(text: string): Source;
  memory: Memory;
  /** After an await, the world may only be changed inside this function. */
  change: Turn;
}

/** Each name has requirement, id, `(remark <id>)` if any, and title; default parameters of a row contain its state. */
type Table = Record<`${Uppercase<string>}-${number} ${string}: ${string}`, (tools: FaultTools) => Wrap>;

const rowName = /^(?<requirement>\S+) (?<id>\S+)( \(remark (?<remark>\S+)\))?: (?<title>.+)$/;

export function faultsOf(table: Table): readonly Fault[] {
  return Object.entries(table).map(([name, row]) => {
    const { requirement = '', id = '', remark, title = '' } = rowName.exec(name)?.groups ?? {};
    const wrap: Wrap = (steps, tools) => row(tools)(steps, tools);
    return { id, title, requirement, ...(remark && { remark }), wrap };
  });
}

export function withMemory(create: (memory: Memory) => Wrap): Wrap {
  return (steps, tools) => create(tools.memory)(steps, tools);
}

/** Replaces a step; `next` is the replaced one. */
export function around<Name extends keyof Steps>(
  name: Name,
  step: (next: Steps[Name], ...args: Parameters<Steps[Name]>) => ReturnType<Steps[Name]>,
): Wrap {
  return (steps) => ({ [name]: (...args: Parameters<Steps[Name]>) => step(steps[name], ...args) });
}

export function after<Name extends keyof Steps>(
  name: Name,
  change: (result: ReturnType<Steps[Name]>, ...args: Parameters<Steps[Name]>) => ReturnType<Steps[Name]>,
): Wrap {
  return around(name, (next, ...args) => {
    const call = next as (...given: Parameters<Steps[Name]>) => ReturnType<Steps[Name]>;
    return change(call(...args), ...args);
  });
}

/** Each wrap encloses the one before it. */
export function combineWraps(...wraps: readonly Wrap[]): Wrap {
  return (steps, tools) => {
    const changed: Partial<Steps> = {};
    for (const wrap of wraps) Object.assign(changed, wrap({ ...steps, ...changed }, tools));
    return changed;
  };
}

type Test = (...args: never[]) => boolean;

export const always = () => true;

/** Takes several tests, of which the first determines the parameters. */
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

/** `path`: for example `data.total`. Removes a member that becomes undefined. */
export function changeAt(given: unknown, path: string, change: (value: unknown) => unknown): Json {
  const [, name, rest] = /^([^.]+)\.?(.*)$/.exec(path) ?? [];
  const object = isObject(given) ? given : {};
  if (name === undefined || rest === undefined) return object;
  const changed = { ...object, [name]: rest ? changeAt(object[name], rest, change) : change(object[name]) };
  if (changed[name] === undefined) delete changed[name];
  return changed;
}
