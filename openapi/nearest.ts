import { closest, distance } from 'fastest-levenshtein';

export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const sameInOtherCase = known.find((one) => one.toLowerCase() === word.toLowerCase());
  if (sameInOtherCase !== undefined) return sameInOtherCase;
  const best = closest(word, [...known]);
  return distance(word, best) <= Math.max(2, Math.floor(word.length / 2)) ? best : undefined;
}

export function didYouMean(word: string, known: readonly string[], otherwise = ''): string {
  const guess = nearest(word, known);
  return guess === undefined ? otherwise : `; did you mean "${guess}"?`;
}
