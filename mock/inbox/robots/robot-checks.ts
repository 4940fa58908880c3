// No robot repeats a key, token or secret in its answers.

import type { RobotPush } from '../../../openapi/robots/push-problem.ts';
import { signForDingtalk, signForFeishu } from '../../webhooks/robot-message.ts';
import type { Writable } from '../../world/collection.ts';
import { isSameSecret } from '../../world/digests.ts';
import type { RobotSettings, RobotState } from '../../world/entries.ts';
import type { InboxRequest } from '../inbox-request.ts';

/** A robot without a token accepts any, so that a sender only needs the URL of the inbox. */
export function acceptsToken({ token }: RobotSettings, given: string | null | undefined): boolean {
  return token === undefined || isSameSecret(given ?? '', token);
}

export interface RateLimit {
  calls: number;
  withinMs: number;
}

/** Returns whether the call is within the limits. The windows slide; that calls over a limit do not count is a guess. */
export function countCall(state: Writable<RobotState>, now: number, limits: readonly RateLimit[]): boolean {
  const longest = Math.max(...limits.map(({ withinMs }) => withinMs));
  state.times = state.times.filter((time) => time > now - longest);
  const isFree = limits.every(
    ({ calls, withinMs }) => state.times.filter((time) => time > now - withinMs).length < calls,
  );
  if (isFree) state.times.push(now);
  return isFree;
}

/** Searches every text of the message, even links and mentions: which parts the vendors search is not documented. */
export function hasKeyword({ keywords = [] }: RobotSettings, message: object): boolean {
  return (
    keywords.length === 0 || textsOf(message).some((text) => keywords.some((word) => text.includes(word)))
  );
}

/** Iterative, since the sender decides how deep a message is nested. */
function textsOf(message: object): string[] {
  const texts: string[] = [];
  const open: unknown[] = [message];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null)
      for (const part of Object.values(value)) open.push(part);
  }
  return texts;
}

const signs = {
  dingtalk: { unitMs: 1, makeSign: signForDingtalk },
  /** That the limit of an hour applies to the future too is a guess. */
  feishu: { unitMs: 1000, makeSign: signForFeishu },
} as const;

export function signProblem(
  robot: keyof typeof signs,
  { timestamp, sign }: { timestamp: unknown; sign: unknown },
  { secret, now }: { secret: string; now: number },
): 'timestamp' | 'sign' | undefined {
  const { unitMs, makeSign } = signs[robot];
  if (typeof timestamp === 'object' || !/^\d+$/.test(String(timestamp))) return 'timestamp';
  const at = Number(timestamp) * unitMs;
  if (Math.abs(Math.floor(now / unitMs) * unitMs - at) > 3_600_000) return 'timestamp';
  return isSameSecret(String(sign), makeSign(secret, at).sign) ? undefined : 'sign';
}

export interface RobotCall {
  request: InboxRequest;
  settings: RobotSettings;
  state: Writable<RobotState>;
  /** Counts from 1 within the inbox. */
  messageId: number;
  now: number;
  /** On a stopped clock all messages arrive within one second, so limits per second do not apply. */
  isClockStill: boolean;
}

export interface Refusal {
  code: number;
  text: string;
}

export function queryOf({ path }: InboxRequest): URLSearchParams {
  return new URLSearchParams(path.split('?').slice(1).join('?'));
}

export function pushOf({ request: { method, headers, body } }: RobotCall): RobotPush {
  return { method, contentType: headers['content-type'], body };
}
