// Shared by the tests of options.
import { type Flags, type Given, readFlags } from './flags.ts';

/** What a line gives as a shell reads it: variables, then flags and words. A blank within a word is %20. */
export function readLine(line: string, flags: Flags, taken?: string): Given {
  const words = line.split(' ').filter(Boolean).map(decodeURIComponent);
  const isVariable = (word: string) => /^\w+=/.test(word);
  const variables = words.filter(isVariable).map((word) => /^(\w+)=(.*)$/s.exec(word)?.slice(1) ?? []);
  const args = words.filter((word) => !isVariable(word));
  return readFlags(args, flags, Object.fromEntries(variables), taken);
}
