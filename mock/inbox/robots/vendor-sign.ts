// The vendors' own signs, which DingTalk expects in the query and Feishu in the message.
import { signForDingtalk, signForFeishu } from '../../webhooks/robot-message.ts';
import { matchesSecret } from '../secrets.ts';

interface GivenSign {
  timestamp: unknown;
  sign: unknown;
}

/** The timestamp is in milliseconds. */
export function dingtalkSignProblem(
  { timestamp, sign }: GivenSign,
  secret: string,
  now: number,
): 'timestamp' | 'sign' | undefined {
  const at = parseTimestamp(timestamp);
  if (at === undefined || Math.abs(now - at) > 3_600_000) return 'timestamp';
  return matchesSecret(String(sign), signForDingtalk(secret, at).sign) ? undefined : 'sign';
}

/** The timestamp is in seconds, as text or number. The limit of an hour applies to the future too (a guess). */
export function isFeishuSign({ timestamp, sign }: GivenSign, secret: string, now: number): boolean {
  const seconds = parseTimestamp(timestamp);
  if (seconds === undefined || Math.abs(Math.floor(now / 1000) - seconds) > 3600) return false;
  return matchesSecret(String(sign), signForFeishu(secret, seconds * 1000).sign);
}

function parseTimestamp(timestamp: unknown): number | undefined {
  const text = typeof timestamp === 'number' ? String(timestamp) : timestamp;
  return typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : undefined;
}
