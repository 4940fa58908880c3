// Whether a constant that recorded calls sent leaves the meaning of the call alone: nobody knows what "rehearsal: true" or "commit: false" does.
import { type Field, nameOf } from '../described-operation.ts';
import { isPublicFlag, isPublicState } from '../words/public-state.ts';
import type { Verb } from '../words/vocabulary.ts';
import { wordsOf } from '../words/words.ts';
import { isAboutFailures, isOff, isOn } from './find-failing.ts';
import { isNegated, saysTrial } from './find-trial.ts';

const setOf = (words: string) => new Set(words.split(' '));

/** Names of flags that change nothing of what a call is. */
const harmlessFlags = setOf(
  'is has with include including allow send notify async confirm confirmed accept accepted agree agreed terms consent force forced seo ssl https index indexed comment comments public published publish live online active activated enabled visible open form forms site sites content searchable indexable responsive default sticky featured',
);
const harmlessValues = setOf(
  'standard default normal basic regular simple full free html markdown md text plain json web manual direct now immediate immediately main root app api url link http https zip public live published online active enabled prod production high medium low asc desc',
);
const languages = /^(lang|language|locale)$/i;
/** Numbers under these names stand for words. */
const codedNames = setOf(
  'mode type kind state status action act op operation method scene event flag option',
);

interface Sent {
  field: Pick<Field, 'pointer'>;
  value: unknown;
  verb: Verb;
  place: 'query' | 'body';
}

export function isClearConstant({ field, value, verb, place }: Sent): boolean {
  const name = nameOf(field);
  const isFlag = isOn(value) || isOff(value);
  // What is done about failures lets none happen.
  if (isFlag && isAboutFailures(name) && !/only/i.test(name)) return true;
  if (isFlag && isNegated(name))
    return isOn(value) && wordsOf(name).some(({ concept }) => concept === 'other');
  // "?undo" is a flag.
  if (isOn(value) || (value === '' && place === 'query')) return wordsOf(name).every(isHarmlessFlag);
  if (isOff(value)) return isHarmlessOff(name, verb);
  if (typeof value === 'number') return !wordsOf(name).some(({ text }) => codedNames.has(text));
  if (typeof value !== 'string' || value === '') return true;
  if (languages.test(name)) return verb === 'create' || verb === 'import' || verb === 'generate';
  return isPublicState(value) || wordsOf(value).every((word) => isHarmlessValue(word, verb));
}

type Word = ReturnType<typeof wordsOf>[number];

function isHarmlessFlag({ text }: Word): boolean {
  return harmlessFlags.has(text);
}

/** What would have been something else is not done; with a deletion, anything that is switched off may spare something. */
function isHarmlessOff(name: string, verb: Verb): boolean {
  if (saysTrial(name)) return true;
  if (verb === 'delete') return false;
  if (verb !== 'publish' && isPublicFlag(name)) return true;
  const words = wordsOf(name);
  if (words.some(({ text }) => /^(apply|approve|enable|check|review|audit|verify|validate)$/.test(text)))
    return false;
  if (words.some(({ concept }) => concept === 'other')) return true;
  return verb !== 'publish' && words.every(isHarmlessFlag);
}

function isHarmlessValue({ text, concept }: Word, verb: Verb): boolean {
  if (harmlessValues.has(text)) return true;
  if (text === 'draft') return verb === 'create' || verb === 'update' || verb === 'import';
  return concept !== undefined && concept !== 'other' && concept !== 'container';
}
