// The robots against the table that the suite is held to as well.
import { expect, test } from 'vitest';
import { pushOf } from '../../../openapi/robots/testing/robot-message.ts';
import { robotMessages } from '../../../openapi/robots/testing/robot-messages.ts';
import { answerAsRobot } from './robot-answer.ts';
import { callOf } from './testing.ts';

const rows = robotMessages.flatMap((row) =>
  (['documented', 'observed'] as const).map((wording) => ({ ...row, wording })),
);

test.for(rows)('$robot, as $wording: $what', ({ wording, ...row }) => {
  const { method, contentType, body } = pushOf(row);
  const headers: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType };
  const answer = answerAsRobot(row.robot, callOf(body, { method, headers, settings: { wording } }));
  const isAccepted = /^\{("StatusCode":0|"errcode":0,)/.test(answer.body);
  expect({ isAccepted, answer: answer.body }).toMatchObject({ isAccepted: !row.refusedBy.includes(wording) });
});
