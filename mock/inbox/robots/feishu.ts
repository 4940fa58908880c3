// The group robot of Feishu (飞书) and Lark: https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
import { getAt } from '../../../openapi/json-pointer.ts';
import { answerJson, type InboxAnswer, type InboxRequest } from '../inbox-request.ts';
import { countCall } from './count-call.ts';
import { contentProblem } from './feishu-types.ts';
import { hasKeyword } from './has-keyword.ts';
import { acceptsToken, parseMessage, type Refusal, type RobotCall } from './robot-call.ts';
import { isFeishuSign } from './vendor-sign.ts';

const perMinute = { calls: 100, withinMs: 60_000 };
const allowances = [{ calls: 5, withinMs: 1000 }, perMinute];
const mostBytes = 20 * 1024;

const success = { StatusCode: 0, StatusMessage: 'success', code: 0, data: {}, msg: 'success' };

/** No refusal of it is known in two wordings. */
export function answerAsFeishu(call: RobotCall): InboxAnswer {
  if (call.request.method !== 'POST')
    return { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found' };
  const refusal = callerRefusal(call) ?? messageRefusal(call);
  return answerJson(refusal ? { code: refusal.code, data: {}, msg: refusal.text } : success);
}

function callerRefusal({ request, settings, state, now, isClockStill }: RobotCall): Refusal | undefined {
  if (!acceptsToken(settings, lastSegmentOf(request)))
    return { code: 19001, text: 'param invalid: incoming webhook access token invalid' };
  if (!countCall(state, now, isClockStill ? [perMinute] : allowances))
    return { code: 11232, text: 'frequency limited psm[lark.oapi.app_platform_runtime]appID[1500]' };
  return undefined;
}

function lastSegmentOf({ path }: InboxRequest): string | undefined {
  return path.split('?')[0]?.split('/').at(-1);
}

/** Nothing is known of a wrong Content-Type, so none is refused. A type that there is not counts as none (a guess). */
function messageRefusal({ request, settings, now }: RobotCall): Refusal | undefined {
  const message = parseMessage(request.body);
  if (!message || request.body.length > mostBytes) return { code: 9499, text: 'Bad Request' };
  if (!isSigned(message, settings.signSecret, now))
    return { code: 19021, text: 'sign match fail or timestamp is not within one hour from current time' };
  const problem = contentProblem(getAt(message, '/msg_type'), message);
  if (problem !== undefined) return { code: 19002, text: `params error, ${problem}` };
  return hasKeyword(settings, message) ? undefined : { code: 19024, text: 'Key Words Not Found' };
}

function isSigned(message: object, secret: string | undefined, now: number): boolean {
  if (secret === undefined) return true;
  return isFeishuSign(
    { timestamp: getAt(message, '/timestamp'), sign: getAt(message, '/sign') },
    secret,
    now,
  );
}
