// The rules by which the suite judges pushes and the mock's robots answer. Their sources are the vendors' documents and published
// observations; no live robot was called.
import { isUtf8 } from 'node:buffer';
import type { Robot } from '../event-names.ts';
import { isObject, type Json, jsonIn } from '../json.ts';
import { dingtalkProblem } from './dingtalk-message.ts';
import { feishuProblem } from './feishu-message.ts';
import { type Reading, type RobotProblem, tooLong } from './robot-problem.ts';
import { wecomProblem } from './wecom-message.ts';

export interface RobotPush {
  method: string;
  contentType: string | undefined;
  body: Buffer;
}

export const messageProblems = { wecom: wecomProblem, dingtalk: dingtalkProblem, feishu: feishuProblem };

/** Largest message in bytes. WeCom states no limit; Feishu's "20 KB" counts as the larger of its two meanings. */
export const messageBytes = {
  wecom: Number.POSITIVE_INFINITY,
  dingtalk: 20_000,
  feishu: 20 * 1_024,
} as const satisfies Record<Robot, number>;

/** Returns undefined if the robot accepts the push. Ignores a robot's security settings, which are not part of a message. */
export function pushProblem(robot: Robot, push: RobotPush, reading: Reading): RobotProblem | undefined {
  const message = readMessage(push.body);
  return (
    callProblem(robot, push) ??
    (message ? undefined : problemOfCall('body', 'its body must be a JSON object in UTF-8')) ??
    sizeProblem(robot, push.body) ??
    (message && messageProblems[robot](message, reading))
  );
}

export function callProblem(robot: Robot, { method, contentType }: RobotPush): RobotProblem | undefined {
  if (method !== 'POST') return problemOfCall('method', `it accepts POST only, not ${method}`);
  // Only DingTalk's document requires the type (43004); no observation shows that the others check it.
  if (robot === 'dingtalk' && !/^[a-z]+\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType?.trim() ?? ''))
    return problemOfCall('Content-Type', `its Content-Type must be JSON, not ${contentType ?? '(none)'}`);
  return undefined;
}

export function sizeProblem(robot: Robot, body: Buffer): RobotProblem | undefined {
  return tooLong('the message', body.length, messageBytes[robot]);
}

/** Returns undefined unless the body is a JSON object in UTF-8. */
export function readMessage(body: Buffer): Json | undefined {
  const value = isUtf8(body) ? jsonIn(body.toString()) : undefined;
  return isObject(value) ? value : undefined;
}

function problemOfCall(at: string, text: string): RobotProblem {
  return { kind: 'call', at, text };
}
