import { getAt } from '../json-pointer.ts';

/** `at` is the place in the message, for example "text.content". */
export interface RobotProblem {
  kind: 'call' | 'size' | 'type' | 'empty' | 'missing' | 'wrong';
  at: string;
  text: string;
  /** Allowed bytes at that place. */
  most?: number;
}

/** A vendor's document and the observed behaviour of its robot may differ. */
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

export function tooLong(at: string, bytes: number, most: number): RobotProblem | undefined {
  if (bytes <= most) return undefined;
  return { kind: 'size', at, most, text: `${at} may have ${most} bytes of UTF-8 at most, not ${bytes}` };
}

/** The robots treat an empty text as missing. */
export function hasText(value: unknown, pointer: string): boolean {
  const text = getAt(value, pointer);
  return typeof text === 'string' && text !== '';
}

export function missingText(
  at: string,
  value: unknown,
  members: readonly string[],
): RobotProblem | undefined {
  const member = members.find((name) => !hasText(value, `/${name}`));
  return member === undefined ? undefined : missing(`${at}.${member}`);
}

/** Requires a list with at least one entry. */
export function missingInEntries(
  at: string,
  entries: unknown,
  members: readonly string[],
): RobotProblem | undefined {
  if (!Array.isArray(entries) || entries.length === 0) return missing(at);
  return entries.map((entry) => missingText(at, entry, members)).find(Boolean);
}
