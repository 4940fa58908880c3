// The rules of DingTalk's (钉钉) group robot: https://open.dingtalk.com/document/orgapp/custom-robot-access
import type { Json } from '../json.ts';
import { getAt } from '../json-pointer.ts';
import { missingInEntries, missingText, type RobotProblem, unknownType } from './robot-problem.ts';

const rules = new Map<unknown, (content: unknown) => RobotProblem | undefined>([
  ['text', (content) => missingText('text', content, ['content'])],
  ['link', (content) => missingText('link', content, ['title', 'text', 'messageUrl'])],
  ['markdown', (content) => missingText('markdown', content, ['title', 'text'])],
  ['actionCard', actionCardProblem],
  [
    'feedCard',
    (content) =>
      missingInEntries('feedCard.links', getAt(content, '/links'), ['title', 'messageURL', 'picURL']),
  ],
]);

export function dingtalkProblem(message: Json): RobotProblem | undefined {
  const type = getAt(message, '/msgtype');
  const rule = rules.get(type);
  return rule ? rule(getAt(message, `/${String(type)}`)) : unknownType('msgtype', rules);
}

/** A card has one button (`singleTitle`) or several (`btns`). */
function actionCardProblem(card: unknown): RobotProblem | undefined {
  const lacking = missingText('actionCard', card, ['title', 'text']);
  if (lacking) return lacking;
  const single = missingText('actionCard', card, ['singleTitle', 'singleURL']);
  const several = missingInEntries('actionCard.btns', getAt(card, '/btns'), ['title', 'actionURL']);
  if (!single || !several) return undefined;
  return single.at === 'actionCard.singleURL' ? single : several;
}
