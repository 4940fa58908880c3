// Tells words that may be somebody's from those that programs are full of.
import { unknownWords } from '../words.ts';
import { isPaging } from './call-values.ts';
import { isChoice, isWritten } from './constant-values.ts';

const usual = new Set(
  (
    'owner editor author viewer member guest reader writer everyone anyone default public private custom standard normal basic success ' +
    'example test gmail http https www com org net html json xml true false null none yes no'
  ).split(' '),
);

/** Whether a word in any script is none that programs are full of: of "walpurga-form", the first. */
export function isUnusualWord(word: string): boolean {
  const small = word.toLowerCase();
  if (usual.has(small)) return false;
  const isKnown = unknownWords(small).length === 0;
  return !isKnown && !(isWritten(small) || isChoice(small) || isPaging(small));
}
