import { isObject, type Json } from '../../../openapi/json.ts';
import type { MockRun, TamperPush } from '../run-against-mock.ts';
import type { VerdictRow } from './verdict-row.ts';

const only = ['CHAN-1', 'CHAN-2', 'CHAN-3'];
const product = { wecom: 'CHAN-1', dingtalk: 'CHAN-2', feishu: 'CHAN-3' } as const;
type Robot = keyof typeof product;

/** Messages that the robots accept, and that the document does not forbid. */
export const robotRows: readonly VerdictRow[] = [
  lawful("wecom's and feishu's messages as text/plain", declared(['wecom', 'feishu'], 'text/plain')),
  lawful("wecom's and feishu's messages without a Content-Type", declared(['wecom', 'feishu'], undefined)),
  lawful(
    "wecom's messages as the form that curl -d declares",
    declared(['wecom'], 'application/x-www-form-urlencoded'),
  ),
  lawful(
    "dingtalk's messages as application/json;charset=UTF-8",
    declared(['dingtalk'], 'application/json;charset=UTF-8'),
  ),
  lawful(
    'texts for wecom that are longer than its document says, and not longer than its robot was seen to take',
    written('wecom', () => ({ msgtype: 'text', text: { content: '海'.repeat(1_700) } })),
    ['channel.wecom'],
  ),
  lawful(
    'cards for wecom',
    written('wecom', () => ({
      msgtype: 'template_card',
      template_card: {
        card_type: 'text_notice',
        sub_title_text: 'published',
        card_action: { type: 1, url: 'https://example.com' },
      },
    })),
    ['channel.wecom'],
  ),
  lawful(
    'cards with one button for dingtalk',
    written('dingtalk', () => ({
      msgtype: 'actionCard',
      actionCard: { title: 'published', text: 'x', singleTitle: 'open', singleURL: 'https://example.com' },
    })),
    ['channel.dingtalk'],
  ),
  lawful(
    'cards in two languages for feishu',
    written('feishu', () => ({
      msg_type: 'interactive',
      card: { i18n_elements: { zh_cn: [{ tag: 'hr' }], en_us: [{ tag: 'hr' }] } },
    })),
  ),
  broken('dingtalk', "dingtalk's messages as text/plain", declared(['dingtalk'], 'text/plain')),
  broken('dingtalk', "dingtalk's messages without a Content-Type", declared(['dingtalk'], undefined)),
  broken(
    'wecom',
    'texts for wecom that are longer than its robot was ever seen to take',
    written('wecom', () => ({ msgtype: 'text', text: { content: '海'.repeat(1_707) } })),
  ),
  broken(
    'wecom',
    'cards for wecom without a title',
    written('wecom', () => ({ msgtype: 'template_card', template_card: { card_type: 'text_notice' } })),
  ),
  broken(
    'feishu',
    'empty cards for feishu',
    written('feishu', () => ({ msg_type: 'interactive', card: {} })),
  ),
];

function lawful(behaviour: string, tamperPush: TamperPush, drifts: readonly string[] = []): VerdictRow {
  return { behaviour, run: () => runWith(tamperPush), passes: only, drifts };
}

function broken(robot: Robot, behaviour: string, tamperPush: TamperPush): VerdictRow {
  return { behaviour, run: () => runWith(tamperPush), fails: [product[robot]] };
}

function runWith(tamperPush: TamperPush): MockRun {
  return { tamperPush, options: { tier: 'full', only } };
}

function declared(robots: readonly Robot[], contentType: string | undefined): TamperPush {
  return (push) => {
    const robot = robotOf(messageIn(push.body));
    if (!robot || !robots.includes(robot)) return push;
    const { 'content-type': _usual, ...headers } = push.headers;
    return {
      ...push,
      headers: { ...headers, ...(contentType !== undefined && { 'content-type': contentType }) },
    };
  };
}

function written(robot: Robot, write: (message: Json) => Json): TamperPush {
  return (push) => {
    const message = messageIn(push.body);
    return robotOf(message) === robot ? { ...push, body: Buffer.from(JSON.stringify(write(message))) } : push;
  };
}

function messageIn(body: Buffer): Json {
  const value: unknown = JSON.parse(body.toString());
  return isObject(value) ? value : {};
}

/** Tells robots apart by the mock's messages: of the two with msgtype, only dingtalk's markdown has a title. */
function robotOf({ msgtype, msg_type, markdown }: Json): Robot | undefined {
  if (msg_type !== undefined) return 'feishu';
  if (msgtype === undefined) return undefined;
  return isObject(markdown) && 'title' in markdown ? 'dingtalk' : 'wecom';
}
