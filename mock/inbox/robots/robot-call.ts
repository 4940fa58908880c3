// No robot repeats a key, token or secret in its answers.
import type { RobotPush } from '../../../openapi/robots/push-problem.ts';
import type { Writable } from '../../world/collection.ts';
import type { RobotSettings, RobotState } from '../../world/entries.ts';
import type { InboxRequest } from '../inbox-request.ts';

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
