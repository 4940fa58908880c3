// Shared by the tests of options.
import { type Flags, type Given, readFlags } from './flags.ts';

/** Reads a line like a shell: variables, then flags and arguments. %20 is a space inside of a word. */
export function readLine(line: string, flags: Flags, taken?: string): Given {
  const words = line.split(' ').filter(Boolean).map(decodeURIComponent);
  const count = words.findIndex((word) => !/^\w+=/.test(word));
  const args = count < 0 ? [] : words.slice(count);
  const variables = words.slice(0, words.length - args.length);
  const environment = variables.map((word) => /^(\w+)=(.*)$/s.exec(word)?.slice(1) ?? []);
  return readFlags(args, flags, Object.fromEntries(environment), taken);
}
