// Compares the suite's verdict on robot messages with the answers of the mock's robots.
import { expect, test } from 'vitest';
import { answerAsRobot } from '../../mock/inbox/inboxes.ts';
import { callOf } from '../../mock/inbox/robots/testing.ts';
import { profileWith } from '../../mock/testing/open-mock.ts';
import { isObject } from '../../openapi/json.ts';
import type { RobotMessage } from '../../openapi/robots/testing/robot-message.ts';
import { robotMessages } from '../../openapi/robots/testing/robot-messages.ts';
import { robotComplaint } from '../checks/pushes/robot-rules.ts';
import { pushOfRobot } from '../testing.ts';
import { runAgainstMock } from './run-against-mock.ts';

/** Each short message of the table with one value replaced or removed. */
const mutants = robotMessages.flatMap((row) => {
  const { message } = row;
  if (!isObject(message) || JSON.stringify(message).length > 1_000) return [];
  return mutantsOf(message).map((mutant) => ({ ...row, message: mutant }));
});

test('agrees with the mock on thousands of messages', () => {
  const differ = mutants.filter((row) => isFineForSuite(row) !== isFineForMock(row));
  expect(differ.map(({ robot, message }) => `${robot} ${JSON.stringify(message).slice(0, 200)}`)).toEqual([]);
  const fine = mutants.filter(isFineForSuite).length;
  expect(fine).toBeGreaterThan(300);
  expect(mutants.length - fine).toBeGreaterThan(1_000);
});

test('reports no drift if a test message has another type than events', async () => {
  const report = await runAgainstMock({
    spoken: profileWith({ 'hook-test.event': 'trial' }),
    tamperPush: (push) =>
      push.body.includes('[trial]') && push.body.includes('"msgtype":"markdown","markdown":{"content"')
        ? { ...push, body: Buffer.from('{"msgtype":"text","text":{"content":"it works"}}') }
        : push,
    options: { tier: 'full', only: ['CHAN-1'] },
  });
  expect(report.requirements.find(({ id }) => id === 'CHAN-1')?.outcome).toBe('passed');
  expect(report.gaps.find(({ id }) => id === 'channel.wecom')).toMatchObject({
    observed: 'markdown',
    outcome: 'agrees',
  });
});

function isFineForSuite(row: RobotMessage): boolean {
  return robotComplaint(row.robot, pushOfRobot(row)) === undefined;
}

/** Whether one of the mock's robots (documented or observed behaviour) accepts a message. */
function isFineForMock(row: RobotMessage): boolean {
  const { method, headers, body } = pushOfRobot(row);
  return (['documented', 'observed'] as const).some((wording) => {
    const answer = answerAsRobot(row.robot, callOf(body, { method, headers, settings: { wording } }));
    return /^\{("StatusCode":0|"errcode":0,)/.test(answer.body);
  });
}

/** Variants of a value with one part replaced or removed. */
function mutantsOf(value: object): object[] {
  return Object.entries(value).flatMap(([name, part]) => {
    const inside = typeof part === 'object' && part !== null ? mutantsOf(part) : [];
    return [undefined, null, '', 42, [], {}, 'x', ...inside].map((other) => replace(value, name, other));
  });
}

function replace(value: object, name: string, part: unknown): object {
  return Array.isArray(value)
    ? value.map((one, index) => (String(index) === name ? part : one))
    : { ...value, [name]: part };
}
