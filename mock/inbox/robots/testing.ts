import { expect } from 'vitest';
import type { Robot } from '../../../openapi/event-names.ts';
import { gaps } from '../../../openapi/registers.ts';
import type { InboxRequest } from '../inbox-request.ts';
import { answerAsRobot } from '../inboxes.ts';
import type { RobotCall } from './robot-checks.ts';

/** Message types that the mock pushes to each robot. */
export const messageTypes = gaps
  .filter(({ id }) => id.startsWith('channel.'))
  .flatMap(({ id, schema }) =>
    (schema.enum as string[]).map((type) => [id.replace('channel.', '') as Robot, type] as const),
  );

export const now = Date.parse('2026-01-02T03:04:05.000Z');

export type CallOptions = Partial<Omit<InboxRequest, 'body'> & Omit<RobotCall, 'request'>>;

/** By default a POST to a robot without a token. A string or buffer is the whole body. */
export function callOf(message: unknown, { method, path, headers, ...call }: CallOptions = {}): RobotCall {
  const isRaw = typeof message === 'string' || Buffer.isBuffer(message);
  return {
    ...{ settings: {}, state: { times: [] }, messageId: 1, isClockStill: false, now },
    ...call,
    request: {
      method: method ?? 'POST',
      path: path ?? '',
      headers: headers ?? { 'content-type': 'application/json' },
      body: Buffer.from(isRaw ? message : JSON.stringify(message)),
    },
  };
}

/** The code and the text of a robot's answer, without WeCom's hint. The status is always 200. */
export function answerTo(robot: Robot, message: unknown, options?: CallOptions): string {
  const { status, headers, body } = answerAsRobot(robot, callOf(message, options));
  expect({ status, headers }).toEqual({ status: 200, headers: { 'content-type': 'application/json' } });
  const { errcode, errmsg, code = errcode, msg = errmsg } = JSON.parse(body);
  return `${code} ${msg.split(', hint:')[0]}`;
}
