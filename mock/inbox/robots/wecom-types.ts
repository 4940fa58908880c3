// What WeCom requires by type of message. Codes are as observed; the texts after "exceed max length" and "missing field" are guesses.
import { hash } from 'node:crypto';
import { getAt } from '../../../openapi/json-pointer.ts';
import type { RobotSettings } from '../../world/world.ts';
import { hasText, memberWithoutText, type Refusal } from './robot-call.ts';
import { cardProblem } from './wecom-card.ts';

/** Checks the member that is named like the type. */
type Rule = (content: object) => Refusal | undefined;

const rules = new Map<unknown, Rule>([
  ['text', limitContent('text', 5120)],
  ['markdown', limitContent('markdown', 4096)],
  ['markdown_v2', limitContent('markdown_v2', 4096)],
  ['image', refuseWhen(imageProblem)],
  ['news', refuseWhen(newsProblem)],
  ['file', refuseWhen((content) => missingText('file', content, 'media_id'))],
  ['voice', refuseWhen((content) => missingText('voice', content, 'media_id'))],
  ['template_card', refuseWhen(cardProblem)],
]);

const documentedText = limitContent('text', 2048);

/** Undefined for an unknown type. The documented limit for text is lower than the observed one. */
export function ruleOf(type: unknown, wording: RobotSettings['wording']): Rule | undefined {
  return type === 'text' && wording === 'documented' ? documentedText : rules.get(type);
}

function limitContent(type: string, limit: number): Rule {
  return (content) => {
    if (!hasText(content, '/content')) return { code: 44004, text: 'empty content' };
    const bytes = Buffer.byteLength(String(getAt(content, '/content')));
    return bytes > limit ? invalid(`${type}.content exceed max length ${limit}`) : undefined;
  };
}

function refuseWhen(problemOf: (content: object) => string | undefined): Rule {
  return (content) => {
    const problem = problemOf(content);
    return problem === undefined ? undefined : invalid(problem);
  };
}

function invalid(problem: string): Refusal {
  return { code: 40058, text: `${problem}. invalid Request Parameter` };
}

function missingText(type: string, content: unknown, ...members: string[]): string | undefined {
  const missing = memberWithoutText(content, members);
  return missing === undefined ? undefined : `missing field \`body.${type}.${missing}\``;
}

const maxImageBytes = 2 * 1024 * 1024;

function imageProblem(image: object): string | undefined {
  const missing = missingText('image', image, 'base64', 'md5');
  if (missing !== undefined) return missing;
  const base64 = String(getAt(image, '/base64'));
  if (base64.length % 4 !== 0 || !/^[A-Za-z\d+/]+={0,2}$/.test(base64)) return 'image.base64 is not base64';
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > maxImageBytes) return `image.base64 exceed max length ${maxImageBytes}`;
  if (!/^(ffd8ff|89504e47)/.test(bytes.subarray(0, 4).toString('hex'))) return 'image is neither JPG nor PNG';
  // Upper or lower case hex: not documented.
  const isMatch = String(getAt(image, '/md5')).toLowerCase() === hash('md5', bytes);
  return isMatch ? undefined : 'image.md5 does not match';
}

/** The robot cuts long titles and descriptions, so they are not refused. */
function newsProblem(news: object): string | undefined {
  const articles = getAt(news, '/articles');
  if (!Array.isArray(articles)) return 'missing field `body.news.articles`';
  if (articles.length < 1 || articles.length > 8) return 'news.articles must be 1 to 8';
  return articles.map((article) => missingText('news.articles', article, 'title', 'url')).find(Boolean);
}
