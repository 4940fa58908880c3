// The commands for the world of a running mock: `sitepub mock save`, `load` and `reset`.
import { parseExactly, writeJson } from '../../contract-tests/core/parse-json.ts';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { readNamedText } from '../../openapi/read-limited-text.ts';
import { UsageError } from '../options/usage-error.ts';
import { requireWritable, writeWhole } from '../output/output-file.ts';
import { resetWorld } from './control-calls.ts';
import { steerCommand } from './steer-command.ts';

/** `sitepub mock save FILE`: writes a snapshot of the whole world. */
export const save = steerCommand(async ({ mock, words: [file = ''], print }) => {
  requireWritable('mock save', file);
  writeOwn(file, `${writeJson(await mock.GET('/world'))}\n`);
  print({ saved: file }, [`saved in ${file}`]);
});

/** A new file is for this user's eyes only. */
function writeOwn(file: string, text: string): void {
  const mask = process.umask(0o077);
  try {
    writeWhole(file, text);
  } finally {
    process.umask(mask);
  }
}

/** `sitepub mock load FILE`: puts a snapshot in place of the world, its clock included. */
export const load = steerCommand(async ({ mock, words: [file = ''], print }) => {
  const summary = await mock.PUT('/world', { body: readSnapshot(file) });
  print(summary, [`loaded from ${file}: ${describeWorld(summary)}`]);
});

/** In bytes; what the mock takes. */
const largestSnapshot = 67_108_864;

function readSnapshot(file: string): Schemas['World'] {
  const usual = 'give a file of `sitepub mock save`';
  const text = readNamedText(file, largestSnapshot, (reason, advice = usual) => {
    return new UsageError(`mock load: ${file} can't be read (${reason}); ${advice}`);
  });
  const snapshot = parseExactly(text);
  if (snapshot === undefined) throw new UsageError(`mock load: ${file} is not JSON; ${usual}`);
  // The mock says what is wrong with it.
  return snapshot as Schemas['World'];
}

/** `sitepub mock reset`: puts the world back to the beginning. */
export const reset = steerCommand(async ({ mock, given, print }) => {
  const summary = await resetWorld(mock, given.text('tenant'), given.switched('keep-sessions'));
  print(summary, [`reset: ${describeWorld(summary)}`]);
});

/** How much a world holds, in a line. */
function describeWorld(summary: Schemas['WorldSummary']): string {
  const kinds = ['tenants', 'users', 'sites', 'subscriptions', 'deliveries'] as const;
  return `${kinds.map((kind) => `${kind} ${summary[kind]}`).join(', ')}; the clock is at ${summary.clock.now}`;
}
