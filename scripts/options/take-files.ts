import type { Flags } from './flags.ts';

/** Separates the words that belong to no flag, such as the files of `sitepub diff`, from the flags and their values. */
export function takeFiles(args: readonly string[], flags: Flags): { files: string[]; others: string[] } {
  const takesValue = (word: string | undefined) =>
    word?.startsWith('--') === true && ['text', 'list'].includes(flags[word.slice(2)]?.kind ?? '');
  const isFile = (word: string, index: number) => !word.startsWith('-') && !takesValue(args[index - 1]);
  return { files: args.filter(isFile), others: args.filter((word, index) => !isFile(word, index)) };
}
