// The verdict against the table that the mock's robots are held to as well.
import { expect, test } from 'vitest';
import { pushOf, type RobotMessage } from '../../../openapi/robots/testing/robot-message.ts';
import { robotMessages } from '../../../openapi/robots/testing/robot-messages.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { messageType, robotComplaint } from './robot-rules.ts';

test.for(robotMessages)('$robot: $what', (row) => {
  const complaint = robotComplaint(row.robot, pushLike(row));
  if (row.refusedBy.length === 2) expect(complaint).toMatch(row.reason ?? /never/);
  else expect(complaint).toBeUndefined();
});

test('the type of a message is read from msgtype or msg_type', () => {
  const pushed = (message: object) => pushLike({ robot: 'wecom', what: '', message, refusedBy: [] });
  expect(messageType(pushed({ msgtype: 'text' }))).toBe('text');
  expect(messageType(pushed({ msg_type: 'post' }))).toBe('post');
});

function pushLike(row: RobotMessage): Push {
  const { method, contentType, body } = pushOf(row);
  return {
    method,
    path: '/1',
    search: '',
    headers: contentType === undefined ? {} : { 'content-type': contentType },
    body,
    at: 0,
    arrived: { from: 0, to: 0 },
    order: 0,
  };
}
