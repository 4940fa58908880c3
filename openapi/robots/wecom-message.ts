// What the group robot of WeCom (企业微信) accepts: https://developer.work.weixin.qq.com/document/path/91770
import { createHash } from 'node:crypto';
import type { Json } from '../json.ts';
import { getAt } from '../json-pointer.ts';
import { observedWecomTextBytes, wecomContentBytes, wecomImageBytes } from './robot-limits.ts';
import {
  hasText,
  memberOfType,
  missing,
  missingInEntries,
  missingText,
  type Reading,
  type RobotProblem,
  tooLong,
  unknownType,
  wrong,
} from './robot-problem.ts';
import { cardProblem } from './wecom-card.ts';

/** Judges the member that is named like the type. */
type Rule = (content: Json, reading: Reading) => RobotProblem | undefined;

const rules = new Map<unknown, Rule>([
  [
    'text',
    (content, reading) =>
      contentProblem(
        'text',
        content,
        reading === 'documented' ? wecomContentBytes.text : observedWecomTextBytes,
      ),
  ],
  ['markdown', (content) => contentProblem('markdown', content, wecomContentBytes.markdown)],
  ['markdown_v2', (content) => contentProblem('markdown_v2', content, wecomContentBytes.markdown_v2)],
  ['image', imageProblem],
  ['news', newsProblem],
  ['file', (content) => missingText('file', content, ['media_id'])],
  ['voice', (content) => missingText('voice', content, ['media_id'])],
  ['template_card', cardProblem],
]);

export function wecomProblem(message: Json, reading: Reading): RobotProblem | undefined {
  const type = getAt(message, '/msgtype');
  const rule = rules.get(type);
  if (!rule) return unknownType('msgtype', [...rules.keys()].map(String));
  const content = memberOfType(message, String(type));
  return content ? rule(content, reading) : empty(String(type));
}

function contentProblem(type: string, content: Json, most: number): RobotProblem | undefined {
  if (!hasText(content, '/content')) return empty(`${type}.content`);
  return tooLong(`${type}.content`, Buffer.byteLength(String(content.content)), most);
}

function empty(at: string): RobotProblem {
  return { ...missing(at), kind: 'empty' };
}

function imageProblem(image: Json): RobotProblem | undefined {
  const lacking = missingText('image', image, ['base64', 'md5']);
  if (lacking) return lacking;
  const base64 = String(image.base64);
  if (base64.length % 4 !== 0 || !/^[A-Za-z\d+/]+={0,2}$/.test(base64))
    return wrong('image.base64', 'image.base64 is not base64');
  const bytes = Buffer.from(base64, 'base64');
  const large = tooLong('image.base64', bytes.length, wecomImageBytes);
  if (large) return large;
  if (!/^(ffd8ff|89504e47)/.test(bytes.subarray(0, 4).toString('hex')))
    return wrong('image.base64', 'image is neither JPG nor PNG');
  // Upper or lower case hex: not documented.
  const isMatch = String(image.md5).toLowerCase() === createHash('md5').update(bytes).digest('hex');
  return isMatch ? undefined : wrong('image.md5', 'image.md5 does not match');
}

/** The robot cuts long titles and descriptions, so they are not refused. */
function newsProblem({ articles }: Json): RobotProblem | undefined {
  if (!Array.isArray(articles)) return missing('news.articles');
  if (articles.length < 1 || articles.length > 8)
    return wrong('news.articles', 'news.articles must be 1 to 8');
  return missingInEntries('news.articles', articles, ['title', 'url']);
}
