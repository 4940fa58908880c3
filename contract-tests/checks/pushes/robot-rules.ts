// Whether the robot of a channel accepts a push, by the one rule set that the mock's robots have too.
import type { Robot } from '../../../openapi/event-names.ts';
import { pushProblem } from '../../../openapi/robots/push-problem.ts';
import type { Reading } from '../../../openapi/robots/robot-problem.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { bodyOf, headerOf } from '../../push-receiver/read-push.ts';

/** Addresses of the form that the makers give to robots. No robot has these. */
export const robotAddress: Readonly<Record<Robot, string>> = {
  wecom: 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=00000000-0000-4000-8000-000000000000',
  dingtalk: `https://oapi.dingtalk.com/robot/send?access_token=${'0'.repeat(64)}`,
  feishu: 'https://open.feishu.cn/open-apis/bot/v2/hook/00000000-0000-4000-8000-000000000000',
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
