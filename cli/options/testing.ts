// Shared by the tests of options.
import { type Flags, type Given, readFlags } from './flags.ts';

/** What a line gives as a shell reads it: variables, then flags and words. A blank within a word is %20. */
export function readLine(line: string, flags: Flags, taken?: string): Given {
  const words = line.split(' ').filter(Boolean).map(decodeURIComponent);
  const count = words.findIndex((word) => !/^\w+=/.test(word));
  const args = count < 0 ? [] : words.slice(count);
  const variables = words.slice(0, words.length - args.length);
  const environment = variables.map((word) => /^(\w+)=(.*)$/s.exec(word)?.slice(1) ?? []);
  return readFlags(args, flags, Object.fromEntries(environment), taken);
}
