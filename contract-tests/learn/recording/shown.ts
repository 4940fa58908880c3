// What of a recording may be shown: names made of the words in operations.yaml, and a few values. All else is left out, whatever it is.
import { identifiedBy, isFieldName, isPart, joinWords, namesOf, splitWords, unknownWords } from '../words.ts';

/** A longer name could be a sentence that somebody typed. */
const most = { words: 4, letters: 40 };

/** Letters, with one sign between words. */
const plainName = /^(?:[A-Za-z]+(?:[-_.:][A-Za-z]+)*\d?|\p{Script=Han}+)$/u;

/** Names of the envelope and of choices, which are in no list of operations.yaml. */
const more = ['code', 'trace_id', 'kind', 'mode', 'type'];

/** Whether a name or a part of a path may be shown: each of its words is in operations.yaml. */
export function isShownName(name: string): boolean {
  if (more.includes(name)) return true;
  if (name.length > most.letters || !plainName.test(name)) return false;
  const words = splitWords(name).split(' ');
  if (words.length > most.words || words.some((word) => /^[a-z]$/.test(word))) return false;
  const isKnown = (one: string) => isFieldName(one) || isPart(one) || identifiedBy(one) !== undefined;
  return isKnown(name) || unknownWords(name).every(isKnown);
}

/** What programs choose from a few, and nobody types. */
const values =
  'complete custom draft fail failed failing full live plain private public published site standalone standard true false';

/** What people type, and may call "draft". */
const typed = ['name', 'title', 'text', 'note', 'author', 'prompt', 'source', 'url', 'form', 'key'];
const typedNames = new Set(typed.flatMap(namesOf));

/** "name", and "siteName". */
function isTyped(name: string): boolean {
  const [last = ''] = splitWords(name).split(' ').slice(-1);
  return typedNames.has(joinWords(name)) || typedNames.has(last);
}

/** Whether a value may be shown. `name`: that of what holds it. */
export function isShownValue(value: unknown, name = ''): boolean {
  if (typeof value === 'boolean') return true;
  return values.split(' ').some((one) => one === value) && !isTyped(name);
}
