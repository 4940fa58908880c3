import type { Command } from 'commander';
import type { Flags, Given } from '../options/flags.ts';

export interface CommandRow {
  /** In the notation of commander: "mock trigger <event>". */
  usage: string;
  /** Whether its group runs it if no other command is named. */
  isDefault?: boolean;
  summary: string;
  flags?: Flags;
  /** Printed after the flags. */
  notes?: string;
  /** The meaning of each exit code. */
  exitCodes?: Readonly<Record<number, string>>;
  /** Returns the exit code. */
  run(given: Given, program: Command): Promise<number>;
}
