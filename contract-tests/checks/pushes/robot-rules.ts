// Whether the robot of a channel accepts a push, by the one rule set that the mock's robots have too.
import type { Robot } from '../../../openapi/event-names.ts';
import { pushProblem } from '../../../openapi/robots/push-problem.ts';
import type { Reading } from '../../../openapi/robots/robot-problem.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { bodyOf, headerOf } from '../../push-receiver/read-push.ts';

interface RobotFacts {
  /** The requirement that pushes on the channel have the robot's format. */
  requirement: string;
  /** An address of the form that the vendor gives to robots. No robot has it. */
  address: string;
}

export const robotFacts: Readonly<Record<Robot, RobotFacts>> = {
  wecom: {
    requirement: 'CHAN-1',
    address: 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=00000000-0000-4000-8000-000000000000',
  },
  dingtalk: {
    requirement: 'CHAN-2',
    address: `https://oapi.dingtalk.com/robot/send?access_token=${'0'.repeat(64)}`,
  },
  feishu: {
    requirement: 'CHAN-3',
    address: 'https://open.feishu.cn/open-apis/bot/v2/hook/00000000-0000-4000-8000-000000000000',
  },
};

/** The last one words the complaint. */
const readings: readonly Reading[] = ['documented', 'observed'];

/**
 * Why a robot would refuse a push; undefined where it would accept it. Where a robot was seen to accept what its document forbids, such as
 * 5120 bytes of text on WeCom, or the other way round, a push that either of the two allows is no broken promise.
 */
export function robotComplaint(robot: Robot, push: Push): string | undefined {
  const call = { method: push.method, contentType: headerOf(push, 'Content-Type'), body: push.body };
  const problems = readings.map((reading) => pushProblem(robot, call, reading));
  return problems.every(Boolean) ? problems.at(-1)?.text : undefined;
}

/** The type of a message: WeCom and DingTalk have it in msgtype, Feishu in msg_type. */
export function messageType(push: Push): unknown {
  const message = Object(bodyOf(push)) as { msgtype?: unknown; msg_type?: unknown };
  return message.msgtype ?? message.msg_type;
}
