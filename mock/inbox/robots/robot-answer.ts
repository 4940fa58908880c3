// Robots answer as the real ones are documented or were observed to; what is neither is marked as a guess.
import type { Robot } from '../../../openapi/event-names.ts';
import type { InboxAnswer } from '../inbox-request.ts';
import { answerAsDingtalk } from './dingtalk.ts';
import { answerAsFeishu } from './feishu.ts';
import type { RobotCall } from './robot-call.ts';
import { answerAsWecom } from './wecom.ts';

const robots = { wecom: answerAsWecom, dingtalk: answerAsDingtalk, feishu: answerAsFeishu };

export function answerAsRobot(kind: Robot, call: RobotCall): InboxAnswer {
  return robots[kind](call);
}
