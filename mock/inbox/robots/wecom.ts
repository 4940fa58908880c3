// WeCom (企业微信) group robots: https://developer.work.weixin.qq.com/document/path/91770
import { hash } from 'node:crypto';
import { pushProblem } from '../../../openapi/robots/push-problem.ts';
import type { RobotProblem } from '../../../openapi/robots/robot-problem.ts';
import { answerJson, type InboxAnswer } from '../inbox-request.ts';
import { acceptsToken, countCall, pushOf, queryOf, type Refusal, type RobotCall } from './robot-checks.ts';

const limits = [{ calls: 20, withinMs: 60_000 }];

export function answerAsWecom(call: RobotCall): InboxAnswer {
  const refusal = refusalOf(call);
  if (!refusal) return answerJson({ errcode: 0, errmsg: 'ok' });
  const { code, text } = refusal;
  const more = `https://open.work.weixin.qq.com/devtool/query?e=${code}`;
  const errmsg = `${text}, hint: [${hintOf(call)}], from ip: 127.0.0.1, more info at ${more}`;
  return answerJson({ errcode: code, errmsg });
}

/** The order of the checks is a guess. The answers to other methods and invalid JSON are unknown; here both are refused as an invalid type. */
function refusalOf(call: RobotCall): Refusal | undefined {
  const { request, settings, state, now } = call;
  if (!acceptsToken(settings, queryOf(request).get('key')))
    return { code: 93000, text: 'invalid webhook url' };
  if (!countCall(state, now, limits)) return { code: 45009, text: 'api freq out of limit' };
  const problem = pushProblem('wecom', pushOf(call), settings.wording ?? 'observed');
  return problem && wordProblem(problem);
}

/** Codes are as observed; the texts after "exceed max length" and "missing field" are guesses. */
function wordProblem({ kind, at, text, most }: RobotProblem): Refusal {
  if (kind === 'call' || kind === 'type') return { code: 40008, text: 'invalid message type' };
  if (kind === 'empty') return { code: 44004, text: 'empty content' };
  const reasons = {
    size: `${at} exceed max length ${most}`,
    missing: `missing field \`body.${at}\``,
    wrong: text,
  };
  return { code: 40058, text: `${reasons[kind]}. invalid Request Parameter` };
}

/** Imitates the digits by which WeCom identifies a call. */
function hintOf({ now, messageId }: RobotCall): string {
  const word = hash('sha256', `${now}/${messageId}`).slice(0, 12);
  return `${Math.floor(now / 1000)}${String(Number.parseInt(word, 16)).padStart(15, '0')}`;
}
