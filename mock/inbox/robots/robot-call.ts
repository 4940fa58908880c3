// What the robots of the three chat products share. None of them repeats a key, token or secret in its answers.
import { isUtf8 } from 'node:buffer';
import { isObject } from '../../../openapi/json.ts';
import { getAt } from '../../../openapi/json-pointer.ts';
import type { RobotSettings, RobotState } from '../../world/world.ts';
import type { InboxRequest } from '../inbox-request.ts';
import { matchesSecret } from '../matches-secret.ts';

export interface RobotCall {
  request: InboxRequest;
  settings: RobotSettings;
  /** Updated by the call. */
  state: RobotState;
  /** Counts from 1 within the inbox. */
  messageId: number;
  now: number;
  /** On a stopped clock all messages arrive within the same second. */
  isClockStill: boolean;
}

/** Why a robot refuses a message. */
export interface Refusal {
  code: number;
  text: string;
}

/** A robot without a token accepts any, even a missing one: then a sender only needs the URL of the inbox. */
export function acceptsToken({ token }: RobotSettings, given: string | null | undefined): boolean {
  return token === undefined || matchesSecret(given ?? '', token);
}

export function queryOf({ path }: InboxRequest): URLSearchParams {
  return new URLSearchParams(path.split('?').slice(1).join('?'));
}

/** Parses a body; undefined unless it is a JSON object in UTF-8. */
export function parseMessage(body: Buffer): object | undefined {
  if (!isUtf8(body)) return undefined;
  try {
    const value: unknown = JSON.parse(body.toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value has text at a JSON pointer; the robots treat an empty text as missing. */
export function hasText(value: unknown, pointer: string): boolean {
  const text = getAt(value, pointer);
  return typeof text === 'string' && text !== '';
}

/** The first of the members without text. */
export function memberWithoutText(value: unknown, members: readonly string[]): string | undefined {
  return members.find((member) => !hasText(value, `/${member}`));
}
