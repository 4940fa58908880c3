// The group robot of Feishu (飞书) and Lark: https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
import { getAt } from '../../../openapi/json-pointer.ts';
import { answerJson, type InboxAnswer, type InboxRequest } from '../inbox-request.ts';
import { countCall } from './count-call.ts';
import { contentProblem } from './feishu-types.ts';
import { hasKeyword } from './has-keyword.ts';
import { acceptsToken, parseMessage, type Refusal, type RobotCall } from './robot-call.ts';
import { isFeishuSign } from './vendor-sign.ts';

const perMinute = { calls: 100, withinMs: 60_000 };
const limits = [{ calls: 5, withinMs: 1000 }, perMinute];
const maxBytes = 20 * 1024;

const success = { StatusCode: 0, StatusMessage: 'success', code: 0, data: {}, msg: 'success' };

/** Feishu's refusals have only one known wording. */
export function answerAsFeishu(call: RobotCall): InboxAnswer {
  if (call.request.method !== 'POST')
    return { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found' };
  const refusal = callerRefusal(call) ?? messageRefusal(call);
  return answerJson(refusal ? { code: refusal.code, data: {}, msg: refusal.text } : success);
}

function callerRefusal({ request, settings, state, now, isClockStill }: RobotCall): Refusal | undefined {
  if (!acceptsToken(settings, lastSegmentOf(request)))
    return { code: 19001, text: 'param invalid: incoming webhook access token invalid' };
  if (!countCall(state, now, isClockStill ? [perMinute] : limits))
    return { code: 11232, text: 'frequency limited psm[lark.oapi.app_platform_runtime]appID[1500]' };
  return undefined;
}

function lastSegmentOf({ path }: InboxRequest): string | undefined {
  return path.split('?')[0]?.split('/').at(-1);
}

/** How it treats a wrong Content-Type is unknown, so any is accepted. An unknown type counts as a missing one (a guess). */
function messageRefusal({ request, settings, now }: RobotCall): Refusal | undefined {
  const message = parseMessage(request.body);
  if (!message || request.body.length > maxBytes) return { code: 9499, text: 'Bad Request' };
  const given = { timestamp: getAt(message, '/timestamp'), sign: getAt(message, '/sign') };
  if (settings.signSecret !== undefined && !isFeishuSign(given, settings.signSecret, now))
    return { code: 19021, text: 'sign match fail or timestamp is not within one hour from current time' };
  const problem = contentProblem(getAt(message, '/msg_type'), message);
  if (problem !== undefined) return { code: 19002, text: `params error, ${problem}` };
  return hasKeyword(settings, message) ? undefined : { code: 19024, text: 'Key Words Not Found' };
}
