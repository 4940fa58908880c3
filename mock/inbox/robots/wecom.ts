// The group robot of WeCom (企业微信): https://developer.work.weixin.qq.com/document/path/91770
import { hash } from 'node:crypto';
import { isObject } from '../../../openapi/json.ts';
import { getAt } from '../../../openapi/json-pointer.ts';
import { answerJson, type InboxAnswer } from '../inbox-request.ts';
import { countCall } from './count-call.ts';
import { acceptsToken, parseMessage, queryOf, type Refusal, type RobotCall } from './robot-call.ts';
import { ruleOf } from './wecom-types.ts';

const limits = [{ calls: 20, withinMs: 60_000 }];

export function answerAsWecom(call: RobotCall): InboxAnswer {
  const refusal = refusalOf(call);
  if (!refusal) return answerJson({ errcode: 0, errmsg: 'ok' });
  const { code, text } = refusal;
  const more = `https://open.work.weixin.qq.com/devtool/query?e=${code}`;
  const errmsg = `${text}, hint: [${hintOf(call)}], from ip: 127.0.0.1, more info at ${more}`;
  return answerJson({ errcode: code, errmsg });
}

/** The order of the checks is a guess. How the robot answers a GET is unknown: here its message has no type. */
function refusalOf({ request, settings, state, now }: RobotCall): Refusal | undefined {
  if (!acceptsToken(settings, queryOf(request).get('key')))
    return { code: 93000, text: 'invalid webhook url' };
  if (!countCall(state, now, limits)) return { code: 45009, text: 'api freq out of limit' };
  const message = parseMessage(request.body);
  const type = getAt(message, '/msgtype');
  const rule = ruleOf(type, settings.wording);
  if (!rule) return { code: 40008, text: 'invalid message type' };
  const content = getAt(message, `/${String(type)}`);
  if (!isObject(content) || Object.keys(content).length === 0) return { code: 44004, text: 'empty content' };
  return rule(content);
}

/** Digits that WeCom identifies a call by; here they only look like them. */
function hintOf({ now, messageId }: RobotCall): string {
  const word = hash('sha256', `${now}/${messageId}`).slice(0, 12);
  return `${Math.floor(now / 1000)}${String(Number.parseInt(word, 16)).padStart(15, '0')}`;
}
