// Of two deletions, one into a trash and one for good, the first is the ordinary one.
import { isOn } from './doubts/find-failing.ts';
import type { Match } from './match-operation.ts';
import { wordsOf } from './words/words.ts';

/** So much less likely is a deletion for good, where there is another one. */
const cost = 30;

/** The same match, doubted where it deletes for good and another one of the gap does not. `all`: of all gaps. */
export function preferOrdinary(match: Match, all: readonly Match[]): Match {
  const word = match.wanted.verb === 'delete' ? finalWord(match) : undefined;
  if (word === undefined) return match;
  const others = all
    .filter(({ wanted }) => wanted === match.wanted)
    .filter((other) => isOrdinary(other, match));
  if (others.length === 0) return match;
  const doubt = `it says "${word}", and another one deletes without that`;
  return { ...match, score: match.score - cost, doubts: [...match.doubts, doubt] };
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
