// DingTalk (钉钉) group robots: https://open.dingtalk.com/document/orgapp/custom-robot-access
import type { Json } from '../../../openapi/json.ts';
import {
  callProblem,
  messageProblems,
  readMessage,
  sizeProblem,
} from '../../../openapi/robots/push-problem.ts';
import { answerJson, type InboxAnswer } from '../inbox-request.ts';
import {
  acceptsToken,
  countCall,
  hasKeyword,
  pushOf,
  queryOf,
  type Refusal,
  type RobotCall,
  signProblem,
} from './robot-checks.ts';

const limits = [{ calls: 20, withinMs: 60_000 }];
const blockedMs = 600_000;

/** Refusals that differ in practice from the documentation: [documented, observed]. The observed texts lack their final link. */
const wordings = {
  rate: [
    [410100, '发送速度太快而限流'],
    [660026, 'sending too many messages per minute'],
  ],
  token: [
    [400101, 'access_token不存在'],
    [300005, 'token is not exist'],
  ],
  timestamp: [
    [310000, 'invalid timestamp'],
    [310000, 'description:机器人发送签名过期;'],
  ],
  sign: [
    [310000, 'sign not match'],
    [
      310000,
      'description:机器人发送签名不匹配;solution:请确认签名和生成签名的时间戳必须都放在调用的网址中，请确认机器人的密钥加密和填写正确;',
    ],
  ],
  keyword: [
    [310000, 'keywords not in content'],
    [
      310000,
      'description:关键词不匹配;solution:请联系群管理员查看此机器人的关键词，并在发送的信息中包含此关键词;',
    ],
  ],
} as const;

export function answerAsDingtalk(call: RobotCall): InboxAnswer {
  const { code, text } = callerRefusal(call) ?? messageRefusal(call) ?? { code: 0, text: 'ok' };
  return answerJson({ errcode: code, errmsg: text });
}

/** The rate is checked before the token, as observed, so calls with a wrong token count too. */
function callerRefusal(call: RobotCall): Refusal | undefined {
  const { request, settings } = call;
  const token = queryOf(request).get('access_token');
  if (request.method !== 'POST') return { code: 43002, text: '需要POST请求' };
  if (settings.token !== undefined && !token) return missing('access_token');
  if (isTooFast(call)) return worded('rate', call);
  return acceptsToken(settings, token) ? undefined : worded('token', call);
}

/** One call over the limit blocks all calls for ten minutes. We assume that blocked calls do not prolong this. */
function isTooFast({ state, now }: RobotCall): boolean {
  if (state.blockedUntil !== undefined && now < state.blockedUntil) return true;
  delete state.blockedUntil;
  if (countCall(state, now, limits)) return false;
  state.blockedUntil = now + blockedMs;
  return true;
}

function messageRefusal(call: RobotCall): Refusal | undefined {
  if (callProblem('dingtalk', pushOf(call))) return { code: 43004, text: '无效的HTTP HEADER Content-Type' };
  const message = readMessage(call.request.body);
  // The answer to JSON that is not an object is a guess.
  if (!message) return missing('json');
  return securityRefusal(call, message) ?? contentRefusal(call, message);
}

function securityRefusal(call: RobotCall, message: object): Refusal | undefined {
  const { settings, now } = call;
  const query = queryOf(call.request);
  const given = { timestamp: query.get('timestamp'), sign: query.get('sign') };
  const secret = settings.signSecret;
  const problem = secret !== undefined && signProblem('dingtalk', given, { secret, now });
  if (problem) return worded(problem, call);
  return hasKeyword(settings, message) ? undefined : worded('keyword', call);
}

/** That the type is checked before the size is a guess. */
function contentRefusal(call: RobotCall, message: Json): Refusal | undefined {
  const problem = messageProblems.dingtalk(message);
  if (problem?.kind === 'type') return { code: 400105, text: '不支持的消息类型' };
  const size = sizeProblem('dingtalk', call.request.body);
  if (size) return { code: 460101, text: `message too long, exceed ${size.most} bytes` };
  return problem && missing(problem.at);
}

/** For a member of the message, this wording is a guess. */
function missing(parameter: string): Refusal {
  return { code: 40035, text: `缺少参数 ${parameter}` };
}

function worded(refusal: keyof typeof wordings, { settings }: RobotCall): Refusal {
  const [code, text] = wordings[refusal][settings.wording === 'documented' ? 0 : 1];
  return { code, text };
}
