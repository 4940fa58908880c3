import type { Command } from 'commander';
import type { Flags, Given } from '../options/flags.ts';

/** A command: what it takes, and what runs it. */
export interface CommandRow {
  /** The words that call it, and its arguments as commander writes them: "mock trigger <event>". */
  usage: string;
  /** It runs where the words before its last one are given alone. */
  isDefault?: boolean;
  summary: string;
  flags?: Flags;
  /** Printed after the flags. */
  notes?: string;
  /** Returns the exit code. */
  run(given: Given, program: Command): Promise<number>;
}
