/** The known name that differs least from a word; undefined if more than half of the word differs. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const sameInOtherCase = known.find((one) => one.toLowerCase() === word.toLowerCase());
  if (sameInOtherCase !== undefined) return sameInOtherCase;
  const most = Math.max(2, Math.floor(word.length / 2));
  const similar = known.filter((one) => Math.abs(one.length - word.length) <= most);
  const distances = similar.map((one) => distance(word, one));
  const least = Math.min(...distances);
  return least <= most ? similar[distances.indexOf(least)] : undefined;
}

export function didYouMean(word: string, known: readonly string[], otherwise = ''): string {
  const guess = nearest(word, known);
  return guess === undefined ? otherwise : `; did you mean "${guess}"?`;
}

/** The Levenshtein distance: how many letters to insert, delete or replace. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const letter of one.split('')) {
    const before = row;
    row = [(before[0] ?? 0) + 1];
    for (let at = 1; at <= other.length; at++) {
      const replaced = (before[at - 1] ?? 0) + Number(other[at - 1] !== letter);
      row.push(Math.min(replaced, (before[at] ?? 0) + 1, (row[at - 1] ?? 0) + 1));
    }
  }
  return row[other.length] ?? 0;
}
