// What the robots of the three chat products have in common. None of them repeats a key, token or secret in its answers.
import { isUtf8 } from 'node:buffer';
import { getAt } from '../../../openapi/json-pointer.ts';
import type { RobotSettings, RobotState } from '../../world/world.ts';
import type { InboxRequest } from '../inbox-request.ts';
import { matchesSecret } from '../matches-secret.ts';

export interface RobotCall {
  request: InboxRequest;
  settings: RobotSettings;
  /** Is brought up to date. */
  state: RobotState;
  /** Counts from 1 within the inbox. */
  messageId: number;
  now: number;
  /** On a clock that stands still everything comes within the same second. */
  isClockStill: boolean;
}

/** What a robot says against a message. */
export interface Refusal {
  code: number;
  text: string;
}

/** Any token will do for a robot that has none, even no token: then the address of the inbox is all a sender needs. */
export function acceptsToken({ token }: RobotSettings, given: string | null | undefined): boolean {
  return token === undefined || matchesSecret(given ?? '', token);
}

export function queryOf({ path }: InboxRequest): URLSearchParams {
  return new URLSearchParams(path.split('?').slice(1).join('?'));
}

/** The JSON object that a body is; undefined where it is none, or not UTF-8. */
export function parseMessage(body: Buffer): object | undefined {
  if (!isUtf8(body)) return undefined;
  try {
    const value: unknown = JSON.parse(body.toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether there is text at a JSON pointer; the robots count an empty one as missing. */
export function hasText(value: unknown, pointer: string): boolean {
  const text = getAt(value, pointer);
  return typeof text === 'string' && text !== '';
}

/** The first of the members that has no text. */
export function memberWithoutText(value: unknown, members: readonly string[]): string | undefined {
  return members.find((member) => !hasText(value, `/${member}`));
}
