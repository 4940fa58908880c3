// The one rule set for the group robots of the three chat products, from what their makers publish and what others saw of them.
// The suite judges pushes by it, and the mock's robots answer by it. Nobody asked the live robots.
import { isUtf8 } from 'node:buffer';
import type { Robot } from '../event-names.ts';
import { isObject, type Json } from '../json.ts';
import { dingtalkProblem } from './dingtalk-message.ts';
import { feishuProblem } from './feishu-message.ts';
import { messageBytes } from './robot-limits.ts';
import { type Reading, type RobotProblem, tooLong } from './robot-problem.ts';
import { wecomProblem } from './wecom-message.ts';

export interface RobotPush {
  method: string;
  contentType: string | undefined;
  body: Buffer;
}

/** What is wrong with the message itself. */
export const messageProblems = { wecom: wecomProblem, dingtalk: dingtalkProblem, feishu: feishuProblem };

/** Why a robot refuses a push; undefined where it accepts it. Its own security settings are left out: they are no part of a message. */
export function pushProblem(robot: Robot, push: RobotPush, reading: Reading): RobotProblem | undefined {
  const message = readMessage(push.body);
  return (
    callProblem(robot, push) ??
    (message ? undefined : problemOfCall('body', 'its body must be a JSON object in UTF-8')) ??
    sizeProblem(robot, push.body) ??
    (message && messageProblems[robot](message, reading))
  );
}

/** What is wrong with the request, its body left out. */
export function callProblem(robot: Robot, { method, contentType }: RobotPush): RobotProblem | undefined {
  if (method !== 'POST') return problemOfCall('method', `it accepts POST only, not ${method}`);
  // Only DingTalk's document demands the type (43004). Nobody saw the others look at it.
  if (robot === 'dingtalk' && !/^[a-z]+\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType?.trim() ?? ''))
    return problemOfCall('Content-Type', `its Content-Type must be JSON, not ${contentType ?? '(none)'}`);
  return undefined;
}

export function sizeProblem(robot: Robot, body: Buffer): RobotProblem | undefined {
  return tooLong('the message', body.length, messageBytes[robot]);
}

/** The message in a body; undefined unless it is a JSON object in UTF-8. */
export function readMessage(body: Buffer): Json | undefined {
  if (!isUtf8(body)) return undefined;
  try {
    const value: unknown = JSON.parse(body.toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function problemOfCall(at: string, text: string): RobotProblem {
  return { kind: 'call', at, text };
}
