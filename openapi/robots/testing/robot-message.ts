// The rows of the table of robot messages, by which both the suite and the mock's robots are tested.
import type { Robot } from '../../event-names.ts';
import type { RobotPush } from '../push-problem.ts';
import type { Reading } from '../robot-problem.ts';

export interface RobotMessage {
  robot: Robot;
  what: string;
  /** Sent unchanged if it is a text or bytes, otherwise as JSON. */
  message: unknown;
  method?: string;
  /** Null: no Content-Type. */
  contentType?: string | null;
  /** The readings of the vendor's rules that refuse the message, with their reasons. */
  refusedBy: readonly Reading[];
  reason?: RegExp;
}

type Call = Pick<RobotMessage, 'method' | 'contentType'>;
type Row = readonly [what: string, message: unknown, call?: Call];
type RefusedRow = readonly [what: string, message: unknown, reason: RegExp, call?: Call];

export function accepted(robot: Robot, rows: readonly Row[]): RobotMessage[] {
  return rows.map(([what, message, call]) => ({ robot, what, message, ...call, refusedBy: [] }));
}

export function refused(robot: Robot, rows: readonly RefusedRow[]): RobotMessage[] {
  const refusedBy = ['documented', 'observed'] as const;
  return rows.map(([what, message, reason, call]) => ({ robot, what, message, ...call, refusedBy, reason }));
}

export function pushOf({
  message,
  method = 'POST',
  contentType = 'application/json',
}: RobotMessage): RobotPush {
  const isSentAsIs = typeof message === 'string' || Buffer.isBuffer(message);
  const body = Buffer.from(isSentAsIs ? message : JSON.stringify(message));
  return { method, contentType: contentType ?? undefined, body };
}
