// Of two deletions, one into a trash and one for good, the first is the ordinary one; of comments and a guestbook, the comments; of what AI does, what it writes.
import { isOn } from './doubts/find-failing.ts';
import type { Match } from './match-operation.ts';
import { wordsOf } from './words/words.ts';

/** So much less likely is the other one. */
const cost = 30;

/** The same match, doubted where another one of its gap is more ordinary. `all`: of all gaps. */
export function preferOrdinary(match: Match, all: readonly Match[]): Match {
  return preferOthers(preferTrash(match, all), all);
}

/** What visitors leave in a guestbook is a comment, and a chat is what AI does, where nothing else is. */
function preferOthers(match: Match, all: readonly Match[]): Match {
  const { resource } = match.wanted;
  const isOdd = resource === 'comment' ? isGuestbook : resource === 'ai' ? isChat : undefined;
  if (!isOdd?.(match)) return match;
  const isUsual = (one: Match) => !isOdd(one) && (resource === 'ai' || isOfComments(one));
  const other = all.find((one) => one.wanted === match.wanted && isUsual(one));
  if (!other) return match;
  const { method, path } = other.known.operation;
  return doubted(match, `${method} ${path} fits as well`);
}

function isGuestbook({ known }: Match): boolean {
  return wordsOf(known.operation.path).some(({ text }) => /^(guestbooks?|liuyan|留言)$/.test(text));
}

function isChat({ known }: Match): boolean {
  return wordsOf(known.operation.path).some(({ text }) =>
    /^(chats?|conversations?|assistants?|对话|客服)$/.test(text),
  );
}

function isOfComments({ known }: Match): boolean {
  return wordsOf(known.operation.path).some(({ text }) => /^(comments?|pinglun|评论)$/.test(text));
}

function doubted(match: Match, doubt: string): Match {
  return { ...match, score: match.score - cost, doubts: [...match.doubts, doubt] };
}

/** A deletion for good is doubted where another one is not. */
function preferTrash(match: Match, all: readonly Match[]): Match {
  const word = match.wanted.verb === 'delete' ? finalWord(match) : undefined;
  if (word === undefined) return match;
  const others = all
    .filter(({ wanted }) => wanted === match.wanted)
    .filter((other) => isOrdinary(other, match));
  if (others.length === 0) return match;
  return doubted(match, `it says "${word}", and another one deletes without that`);
}

/** By its path, or since nothing else speaks against it. */
function isOrdinary(other: Match, forGood: Match): boolean {
  if (finalWord(other) !== undefined) return false;
  const [path, longer] = [other, forGood].map(({ value }) => String(value.path));
  return other.doubts.length === 0 || longer === path || (longer?.startsWith(`${path}/`) ?? false);
}

const finalWords = /^(force[ds]?|permanent(ly)?|purges?|hard|forever|irrevocabl[ey]|彻底|永久|强制)$/;

/** What says that nothing can be restored: in its path, its name or its summary, or a flag that it sends. */
function finalWord({ known: { operation }, value: { query, body } }: Match): string | undefined {
  const { path, id = '', texts } = operation;
  const [text = ''] = texts;
  const set = Object.entries({ ...(query as object), ...(body as object) }).filter(([, sent]) => isOn(sent));
  const said = [path, id, text.slice(0, 80), ...set.map(([name]) => name)];
  const words = said.flatMap((one) => wordsOf(one)).map((word) => word.text);
  return (
    words.find((word) => finalWords.test(word)) ??
    /彻底|永久|强制/.exec(text)?.[0] ??
    /\bfor good\b/i.exec(text)?.[0]
  );
}
