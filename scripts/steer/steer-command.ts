// What the commands for a running mock have in common: flags, words, help, and exit codes.

import { visibleJson } from '../../contract-tests/core/visible-text.ts';
import { didYouMean } from '../../openapi/nearest.ts';
import { type Flags, type Given, readFlagsOrHelp, switchFlag } from '../options/flags.ts';
import { takeFiles } from '../options/take-files.ts';
import { UsageError } from '../options/usage-error.ts';
import { controlFlags, findMock, type MockClient, Refused, Unreachable } from './mock-client.ts';

export interface Steering {
  mock: MockClient;
  given: Given;
  /** The words of the command that belong to no flag. */
  words: readonly string[];
  /** Prints lines for people, or with --json the value in one line. */
  print(value: unknown, lines: readonly string[]): void;
}

interface SteerCommand {
  /** "sitepub redeliver ID": what it takes. */
  usage: string;
  /** What it does, and examples. */
  notes: string;
  flags?: Flags;
  /** How many words it takes, and what the first one may be. Default: none. */
  words?: { least: number; most: number; first?: readonly string[] };
  run(steering: Steering): Promise<number>;
}

const environment = `The mock is that of --control-url, else the one that \`sitepub mock\` has started last here and is running still.
  SITEPUB_CONTROL_TOKEN  the control token, where the mock demands one
Exit codes: 0 done, 2 usage or refused by the mock, 3 no mock answers, 4 the command itself failed.`;

/** A command of the command line. */
export function steerCommand({ usage, notes, flags = {}, words: taken, run }: SteerCommand) {
  const all: Flags = { ...flags, json: switchFlag('as JSON, in one line for each thing'), ...controlFlags };
  return async (args: readonly string[]): Promise<number> => {
    const { files: words, others } = takeFiles(args, all);
    const given = readFlagsOrHelp(others, all, { usage, notes: `${notes}\n\n${environment}` });
    if (!given) return 0;
    const { least, most, first } = taken ?? { least: 0, most: 0 };
    if (words.length < least) throw new UsageError(`something is missing; expected \`${usage}\``);
    if (words.length > most)
      throw new UsageError(`"${words[most]}" is one word too many; expected \`${usage}\``);
    if (first) requireKnown(words[0] ?? '', first, usage);
    const print: Steering['print'] = (value, lines) => {
      const text = given.switched('json') ? [visibleJson(value)] : lines;
      // As bytes: the lines are harmless already, and their colours are wanted.
      process.stdout.write(Buffer.from(text.map((line) => `${line}\n`).join('')));
    };
    try {
      return await run({ mock: findMock(given), given, words, print });
    } catch (error) {
      if (!(error instanceof Unreachable) && !(error instanceof Refused)) throw error;
      console.error(`sitepub: ${error.message}`);
      return error instanceof Refused ? 2 : 3;
    }
  };
}

function requireKnown(word: string, known: readonly string[], usage: string): void {
  if (known.includes(word)) return;
  const [command] = /^\S+ \S+/.exec(usage) ?? [];
  throw new UsageError(
    `there is no "${command} ${word}"${didYouMean(word, known, `; expected ${known.join(' or ')}`)}`,
  );
}
