// What a mock tells of what happens in it.
import { type Flags, type Given, switchFlag, textFlag } from './flags.ts';
import { UsageError } from './usage-error.ts';

export const logFlags: Flags = {
  log: textFlag(
    'FORMAT',
    'a line on standard error for each request, push and move of the clock: text (default), or json',
  ),
  quiet: switchFlag('no such lines'),
};

/** The format of the lines; undefined for none, as with --json unless --log is given too. */
export function readLog(given: Given): 'text' | 'json' | undefined {
  const format = given.text('log');
  if (given.switched('quiet')) {
    if (format !== undefined) throw new UsageError('--quiet and --log exclude each other; leave one out');
    return undefined;
  }
  if (format === undefined) return given.switched('json') ? undefined : 'text';
  if (format === 'text' || format === 'json') return format;
  throw new UsageError(`--log is "${format}"; expected text or json`);
}
