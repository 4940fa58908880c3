import { expect, test } from 'vitest';
import { pushProblem } from './push-problem.ts';
import { pushOf } from './testing/robot-message.ts';
import { robotMessages } from './testing/robot-messages.ts';

const rows = robotMessages.flatMap((row) =>
  (['documented', 'observed'] as const).map((reading) => ({ ...row, reading })),
);

test.for(rows)('$robot, as $reading: $what', ({ reading, ...row }) => {
  const problem = pushProblem(row.robot, pushOf(row), reading);
  if (row.refusedBy.includes(reading)) expect(problem?.text).toMatch(row.reason ?? /never/);
  else expect(problem).toBeUndefined();
});

test('only documents that were seen to be wrong make a difference', () => {
  const differ = robotMessages.filter(({ refusedBy }) => refusedBy.length === 1);
  expect(differ.map(({ robot, refusedBy }) => [robot, refusedBy])).toEqual([['wecom', ['documented']]]);
});
