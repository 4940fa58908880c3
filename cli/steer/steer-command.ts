// What the commands for a running mock have in common: finding it, and printing.
import { visibleJson } from '../../contract-tests/core/visible-text.ts';
import type { Given } from '../options/flags.ts';
import { type Paint, painter } from '../output/note-lines.ts';
import { findMock, type MockClient } from './mock-client.ts';

export interface Steering {
  mock: MockClient;
  given: Given;
  words: readonly string[];
  /** Prints lines for people, or with --json the value in one line. */
  print(value: unknown, lines: readonly string[]): void;
  /** Colours where standard output takes them. */
  paint: Paint;
}

/** A command for a running mock. */
export function steerCommand(run: (steering: Steering) => Promise<void>) {
  return async (given: Given): Promise<number> => {
    const print: Steering['print'] = (value, lines) => {
      const text = given.switched('json') ? [visibleJson(value)] : lines;
      // As bytes: the lines are harmless already, and their colours are wanted.
      process.stdout.write(Buffer.from(text.map((line) => `${line}\n`).join('')));
    };
    await run({ mock: findMock(given), given, words: given.words, print, paint: painter(process.stdout) });
    return 0;
  };
}
