// Why a robot refuses a message, and what the rules of the three products share.
import { getAt } from '../json-pointer.ts';

/** `at` is the place in the message, such as "text.content"; `text` says it to people. */
export interface RobotProblem {
  kind: 'call' | 'size' | 'type' | 'empty' | 'missing' | 'wrong';
  at: string;
  text: string;
  /** The most bytes that are allowed there. */
  most?: number;
}

/** Where a vendor's document and what others saw of its robot differ. */
export type Reading = 'documented' | 'observed';

export function wrong(at: string, text: string): RobotProblem {
  return { kind: 'wrong', at, text };
}

export function missing(at: string): RobotProblem {
  return { kind: 'missing', at, text: `${at} is missing or empty` };
}

export function unknownType(at: string, rules: ReadonlyMap<unknown, unknown>): RobotProblem {
  return { kind: 'type', at, text: `${at} must be one of ${[...rules.keys()].join(', ')}` };
}

/** Undefined where a length in bytes is within the limit. */
export function tooLong(at: string, bytes: number, most: number): RobotProblem | undefined {
  if (bytes <= most) return undefined;
  return { kind: 'size', at, most, text: `${at} may have ${most} bytes of UTF-8 at most, not ${bytes}` };
}

/** Whether a value has text at a JSON pointer; the robots treat an empty text as missing. */
export function hasText(value: unknown, pointer: string): boolean {
  const text = getAt(value, pointer);
  return typeof text === 'string' && text !== '';
}

/** The problem of the first of the members that has no text. */
export function missingText(
  at: string,
  value: unknown,
  members: readonly string[],
): RobotProblem | undefined {
  const member = members.find((name) => !hasText(value, `/${name}`));
  return member === undefined ? undefined : missing(`${at}.${member}`);
}

/** The same for each entry of a list, which has at least one. */
export function missingInEntries(
  at: string,
  entries: unknown,
  members: readonly string[],
): RobotProblem | undefined {
  if (!Array.isArray(entries) || entries.length === 0) return missing(at);
  return entries.map((entry) => missingText(at, entry, members)).find(Boolean);
}
