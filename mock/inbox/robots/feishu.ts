// Feishu (飞书) and Lark group robots: https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
import {
  callProblem,
  messageProblems,
  readMessage,
  sizeProblem,
} from '../../../openapi/robots/push-problem.ts';
import type { RobotProblem } from '../../../openapi/robots/robot-problem.ts';
import { answerJson, type InboxAnswer } from '../inbox-request.ts';
import {
  acceptsToken,
  countCall,
  hasKeyword,
  pushOf,
  type Refusal,
  type RobotCall,
  signProblem,
} from './robot-checks.ts';

const perMinute = { calls: 100, withinMs: 60_000 };
const limits = [{ calls: 5, withinMs: 1000 }, perMinute];

const success = { StatusCode: 0, StatusMessage: 'success', code: 0, data: {}, msg: 'success' };

/** The setting `wording` has no effect, since only one wording is known. */
export function answerAsFeishu(call: RobotCall): InboxAnswer {
  if (callProblem('feishu', pushOf(call)))
    return { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found' };
  const refusal = callerRefusal(call) ?? messageRefusal(call);
  return answerJson(refusal ? { code: refusal.code, data: {}, msg: refusal.text } : success);
}

function callerRefusal({ request, settings, state, now, isClockStill }: RobotCall): Refusal | undefined {
  const [path = ''] = request.path.split('?');
  if (!acceptsToken(settings, path.split('/').at(-1)))
    return { code: 19001, text: 'param invalid: incoming webhook access token invalid' };
  if (!countCall(state, now, isClockStill ? [perMinute] : limits))
    return { code: 11232, text: 'frequency limited psm[lark.oapi.app_platform_runtime]appID[1500]' };
  return undefined;
}

function messageRefusal(call: RobotCall): Refusal | undefined {
  const { request, settings, now } = call;
  const message = readMessage(request.body);
  if (!message || sizeProblem('feishu', request.body)) return { code: 9499, text: 'Bad Request' };
  const given = { timestamp: message.timestamp, sign: message.sign };
  const secret = settings.signSecret;
  if (secret !== undefined && signProblem('feishu', given, { secret, now }))
    return { code: 19021, text: 'sign match fail or timestamp is not within one hour from current time' };
  const problem = messageProblems.feishu(message);
  if (problem) return { code: 19002, text: `params error, ${wordProblem(problem)}` };
  return hasKeyword(settings, message) ? undefined : { code: 19024, text: 'Key Words Not Found' };
}

/** That an unknown type is refused like a missing one is a guess. */
function wordProblem({ kind, at }: RobotProblem): string {
  if (kind === 'type') return 'msg_type need';
  return /^card\b/.test(at) ? 'unknown card value' : 'unknown content value';
}
