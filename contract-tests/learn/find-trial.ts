// What in the query or body of a call keeps it from doing what its path says: "dry_run: true", or a mode "preview".
import { type DescribedOperation, type Field, nameOf } from './described-operation.ts';
import { isAboutFailures, isOn, saysFailure } from './find-failing.ts';
import { isPublicFlag } from './public-state.ts';
import type { Verb } from './vocabulary.ts';
import { wordsOf } from './words.ts';

/** Such as "dry_run: true", which every call sends; undefined where nothing is like that. */
export function findTrial({ query, body = [], seen }: DescribedOperation, verb: Verb): string | undefined {
  for (const field of [...body, ...query]) {
    const value = sentValue(field, seen !== undefined);
    if (isTrial(field, value, verb)) return `${nameOf(field)}: ${value}`;
  }
  return undefined;
}

/** What a call can't leave out: its only value, or what it has where it is left out. */
function sentValue({ isRequired, values, allowed = [], default: preset }: Field, isSeen: boolean): unknown {
  const [value, ...others] = isSeen ? values : allowed;
  return isRequired && others.length === 0 && value !== undefined ? value : preset;
}

export function isTrial(field: Pick<Field, 'pointer'>, value: unknown, verb: Verb): boolean {
  const name = nameOf(field);
  if (isOn(value)) return saysTrial(name);
  // "published: false" takes back what was published.
  if (value === false) return verb === 'publish' && isPublicFlag(name);
  const isWord = typeof value === 'string' && value.length < 40 && !isAboutFailures(name);
  if (!isWord) return false;
  const isLater = verb === 'publish' && wordsOf(value).some(({ text }) => notNow.has(text));
  return saysTrial(value) || isLater || (saysFailure(value) && !isAboutFailures(value));
}

export function saysTrial(text: string): boolean {
  const words = wordsOf(text).map((word) => word.text);
  if (words.some((word) => negations.has(word))) return false;
  return (
    words.some((word) => trials.has(word)) ||
    (words.includes('only') && words.some((word) => checks.has(word)))
  );
}

const setOf = (words: string) => new Set(words.split(' '));
const negations = setOf('no not non skip without disable ignore');
const trials = setOf(
  'dry dryrun preview simulate simulated simulation trial test sandbox staging mock noop yulan moni 预览 试运行 模拟 演练 测试',
);
const checks = setOf('validate validation check verify');
/** What is published later, or never. */
const notNow = setOf(
  'draft offline unpublish cancel rollback revert schedule scheduled caogao xiaxian 草稿 下线 取消 定时',
);
