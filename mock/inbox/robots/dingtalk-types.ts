// The members that DingTalk requires by type of message.
import { getAt } from '../../../openapi/json-pointer.ts';
import { hasText, memberWithoutText } from './robot-call.ts';

/** Returns the name of a missing member. */
type Rule = (message: object) => string | undefined;

const rules = new Map<unknown, Rule>([
  ['text', requireText('text', ['content'])],
  ['link', requireText('link', ['title', 'text', 'messageUrl'])],
  ['markdown', requireText('markdown', ['title', 'text'])],
  ['actionCard', missingInCard],
  ['feedCard', (message) => missingInEntries(message, 'feedCard/links', ['title', 'messageURL', 'picURL'])],
]);

/** Undefined for an unknown type. */
export function ruleOf(type: unknown): Rule | undefined {
  return rules.get(type);
}

function requireText(type: string, members: readonly string[]): Rule {
  return (message) => qualifyName(type, memberWithoutText(getAt(message, `/${type}`), members));
}

/** With one button, or with several. */
function missingInCard(message: object): string | undefined {
  const missing = requireText('actionCard', ['title', 'text'])(message);
  if (missing !== undefined) return missing;
  return hasText(message, '/actionCard/singleTitle')
    ? requireText('actionCard', ['singleURL'])(message)
    : missingInEntries(message, 'actionCard/btns', ['title', 'actionURL']);
}

function missingInEntries(message: object, path: string, members: readonly string[]): string | undefined {
  const entries = getAt(message, `/${path}`);
  if (!Array.isArray(entries) || entries.length === 0) return path.replace('/', '.');
  const missing = entries.map((entry) => memberWithoutText(entry, members)).find(Boolean);
  return qualifyName(path.replace('/', '.'), missing);
}

function qualifyName(parent: string, member: string | undefined): string | undefined {
  return member === undefined ? undefined : `${parent}.${member}`;
}
