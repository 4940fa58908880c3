// What in the query or body of a call keeps it from doing what its path says: "dry_run: true", or a mode "preview".
import { type DescribedOperation, type Field, nameOf } from '../described-operation.ts';
import { isPublicFlag } from '../words/public-state.ts';
import type { Verb } from '../words/vocabulary.ts';
import { wordsOf } from '../words/words.ts';
import { isAboutFailures, isOff, isOn, saysFailure } from './find-failing.ts';

/** Such as "dry_run: true", which every call sends; undefined where nothing is like that. */
export function findTrial({ query, body = [], seen }: DescribedOperation, verb: Verb): string | undefined {
  for (const field of [...body, ...query]) {
    const only = onlyValue(field, seen !== undefined);
    const isOther = only !== undefined && meansOther(field, only, verb);
    if (isOther || isTrial(field, only ?? field.default, verb))
      return `${nameOf(field)}: ${only ?? field.default}`;
  }
  return undefined;
}

/** What a call can't leave out, where that is one value. */
function onlyValue({ isRequired, values, allowed = [] }: Field, isSeen: boolean): unknown {
  const [value, ...others] = isSeen ? values : allowed;
  return isRequired && others.length === 0 ? value : undefined;
}

/** Whether a value makes another call of it, such as "action: pause", "trash: true" or "mode: archive". */
function meansOther(field: Pick<Field, 'pointer'>, value: unknown, verb: Verb): boolean {
  const changes = verb === 'publish' || verb === 'delete' || verb === 'import';
  if (isOn(value)) return changes && saysOther(nameOf(field), verb);
  return typeof value === 'string' && value.length < 40 && saysOther(value, verb);
}

function saysOther(text: string, verb: Verb): boolean {
  const words = wordsOf(text);
  if (words.some((word) => negations.has(word.text))) return false;
  const mayBeDraft = verb === 'create' || verb === 'update' || verb === 'import';
  return words.some((word) => word.concept === 'other' && !(mayBeDraft && word.text === 'draft'));
}

export function isTrial(field: Pick<Field, 'pointer'>, value: unknown, verb: Verb): boolean {
  const name = nameOf(field);
  if (isOn(value)) return saysTrial(name);
  // "published: false" takes back what was published.
  if (isOff(value)) return verb === 'publish' && (isPublicFlag(name) || activeFlags.test(name));
  const isWord = typeof value === 'string' && value.length < 40 && !isAboutFailures(name);
  if (!isWord) return false;
  const isLater = verb === 'publish' && wordsOf(value).some(({ text }) => notNow.has(text));
  return saysTrial(value) || isLater || (saysFailure(value) && !isAboutFailures(value));
}

const activeFlags = /^(is_?)?(active|activated|enabled?|on|visible|open)$/i;

/** Whether a name says that something is not done: "skip_preview". */
export function isNegated(name: string): boolean {
  return wordsOf(name).some(({ text }) => negations.has(text));
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
  'draft later defer deferred tomorrow offline unpublish cancel rollback revert schedule scheduled caogao xiaxian 草稿 下线 取消 定时',
);
