// Splits names and sentences into words, and says what each is about: English, Chinese, and Chinese in Latin letters.
import { type Concept, concepts, isHan } from './vocabulary.ts';

export interface Word {
  /** In lower case. */
  text: string;
  /** Undefined for a word that nobody knows here. */
  concept: Concept | undefined;
}

const longestText = 400;
const longestName = 40;

/** The words of a name ("siteId", "push-log", "zhandianfabu", "站点发布") or of a sentence. */
export function wordsOf(text: string): Word[] {
  const spaced = text
    .slice(0, longestText)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
  const parts = spaced.toLowerCase().match(/[a-z]+|\d+|\p{Script=Han}+/gu) ?? [];
  return parts.flatMap((part) => (isHan(part) ? splitHan(part) : splitLatin(part)));
}

function splitLatin(part: string): Word[] {
  const known = conceptOf(part);
  if (known) return [{ text: part, concept: known }];
  return splitCompound(part) ?? [{ text: part, concept: undefined }];
}

/** The concept of a word in any of its forms. */
function conceptOf(word: string): Concept | undefined {
  for (const form of formsOf(word)) {
    const concept = concepts.get(form);
    if (concept) return concept;
  }
  return undefined;
}

function formsOf(word: string): string[] {
  const forms = [word];
  if (word.endsWith('ies')) forms.push(`${word.slice(0, -3)}y`);
  if (word.endsWith('es')) forms.push(word.slice(0, -2));
  if (word.endsWith('s')) forms.push(word.slice(0, -1));
  if (word.endsWith('ed')) forms.push(word.slice(0, -1), word.slice(0, -2));
  if (word.endsWith('ing')) forms.push(word.slice(0, -3), `${word.slice(0, -3)}e`);
  if (word.endsWith('ted') || word.endsWith('tted')) forms.push(word.slice(0, -3));
  return forms.filter((form) => form.length > 1);
}

/** Words that are written together, as in "apikeys" or "zhandianliebiao"; undefined where something is left over. */
function splitCompound(part: string): Word[] | undefined {
  if (part.length > longestName) return undefined;
  const best: (Word[] | undefined)[] = [[]];
  for (let end = 1; end <= part.length; end += 1)
    for (let start = 0; start < end; start += 1) {
      const before = best[start];
      const text = part.slice(start, end);
      const isWord = before && (text.length > 2 || ['id', 'ai'].includes(text));
      const concept = isWord ? conceptOf(text) : undefined;
      if (!before || !concept) continue;
      const found = [...before, { text, concept }];
      if (found.length < (best[end]?.length ?? longestName)) best[end] = found;
    }
  return best[part.length];
}

/** The longest known words, one after the other; what lies between them is a word that nobody knows. */
function splitHan(part: string): Word[] {
  const words: Word[] = [];
  let unknown = '';
  for (let at = 0; at < part.length; ) {
    const text = [4, 3, 2, 1].map((length) => part.slice(at, at + length)).find((one) => concepts.has(one));
    if (text === undefined) unknown += part[at];
    else {
      if (unknown !== '') words.push({ text: unknown, concept: undefined });
      unknown = '';
      words.push({ text, concept: concepts.get(text) });
    }
    at += text?.length ?? 1;
  }
  return unknown === '' ? words : [...words, { text: unknown, concept: undefined }];
}
