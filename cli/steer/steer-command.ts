// What the commands for a running mock have in common: finding it, printing, and exit codes.
import { visibleJson } from '../../contract-tests/core/visible-text.ts';
import type { Given } from '../options/flags.ts';
import { findMock, type MockClient, Refused, Unreachable } from './mock-client.ts';

export interface Steering {
  mock: MockClient;
  given: Given;
  words: readonly string[];
  /** Prints lines for people, or with --json the value in one line. */
  print(value: unknown, lines: readonly string[]): void;
}

/** A command for a running mock. */
export function steerCommand(run: (steering: Steering) => Promise<number>) {
  return async (given: Given): Promise<number> => {
    const print: Steering['print'] = (value, lines) => {
      const text = given.switched('json') ? [visibleJson(value)] : lines;
      // As bytes: the lines are harmless already, and their colours are wanted.
      process.stdout.write(Buffer.from(text.map((line) => `${line}\n`).join('')));
    };
    try {
      return await run({ mock: findMock(given), given, words: given.words, print });
    } catch (error) {
      if (!(error instanceof Unreachable) && !(error instanceof Refused)) throw error;
      console.error(`sitepub: ${error.message}`);
      return error instanceof Refused ? 2 : 3;
    }
  };
}
