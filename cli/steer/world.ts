// The commands for the state of a running mock: `sitepub mock status`, `fault`, `save`, `load`, `reset` and `stop`.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseExactly, writeJson } from '../../contract-tests/core/parse-json.ts';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { readNamedText } from '../../openapi/read-limited-text.ts';
import { UsageError } from '../options/usage-error.ts';
import { shown } from '../output/log-lines.ts';
import { requireWritable, writeWhole } from '../output/output-file.ts';
import { describeMock, resetWorld } from './control-calls.ts';
import { type MockClient, MockUnreachable } from './mock-client.ts';
import { steerCommand } from './steer-command.ts';

export const save = steerCommand(async ({ mock, words: [file = ''], print }) => {
  requireWritable('mock save', file);
  writeOwn(file, `${writeJson(await mock.GET('/world'))}\n`);
  print({ saved: file }, [`saved in ${file}`]);
});

/** Only this user may read a new file. */
function writeOwn(file: string, text: string): void {
  const mask = process.umask(0o077);
  try {
    writeWhole(file, text);
  } finally {
    process.umask(mask);
  }
}

export const load = steerCommand(async ({ mock, words: [file = ''], print }) => {
  const summary = await mock.PUT('/world', { body: readSnapshot(file) });
  print(summary, [`loaded from ${file}: ${describeWorld(summary)}`]);
});

/** In bytes; the limit of the mock. */
const largestSnapshot = 67_108_864;

function readSnapshot(file: string): Schemas['World'] {
  const usual = 'give a file of `sitepub mock save`';
  const text = readNamedText(file, largestSnapshot, (reason, advice = usual) => {
    return new UsageError(`mock load: ${file} can't be read (${reason}); ${advice}`);
  });
  const snapshot = parseExactly(text);
  if (snapshot === undefined) throw new UsageError(`mock load: ${file} is not JSON; ${usual}`);
  // The mock checks it.
  return snapshot as Schemas['World'];
}

export const reset = steerCommand(async ({ mock, given, print }) => {
  const summary = await resetWorld(mock, given.text('tenant'), given.switched('keep-sessions'));
  print(summary, [`reset: ${describeWorld(summary)}`]);
});

function describeWorld(summary: Schemas['WorldSummary']): string {
  const kinds = ['tenants', 'users', 'sites', 'subscriptions', 'deliveries'] as const;
  return `${kinds.map((kind) => `${kind} ${summary[kind]}`).join(', ')}; the clock is at ${summary.clock.now}`;
}

export const status = steerCommand(async ({ mock, print }) => {
  const described = await describeMock(mock);
  const { base_url: url, version, profile, clock, store, faults, limits } = described;
  const used = limits.filter((limit) => limit.used > 0);
  const rows: readonly (readonly [name: string, value: string])[] = [
    ['service', url],
    ['control API', mock.url],
    ['version', version],
    ['profile', profile.name],
    ['clock', `${clock.now} (${clock.mode})`],
    ['store', store ? `${store.engine}${store.problem ? `: ${store.problem}` : ''}` : 'none, in memory'],
    ['faults', faults.join(', ') || 'none'],
    [
      'limits',
      used.map((one) => `${one.used} of ${one.of} ${one.limit}, ${one.tenant}`).join('; ') || 'unused',
    ],
  ];
  print(
    described,
    rows.map(([name, value]) => `${name.padEnd(13)}${shown(value)}`),
  );
});

export const fault = steerCommand(async ({ mock, words, print }) => {
  const on = words.filter((word) => word !== 'none');
  const { faults, on: chosen } =
    words.length === 0 ? await mock.GET('/faults') : await mock.PUT('/faults', { body: { on } });
  const rows = faults.filter(({ id }) => chosen.includes(id));
  const lines = rows.map(({ id, requirement, title }) => `${id}  ${requirement}  ${title}`);
  print({ on: chosen }, lines.length === 0 ? ['no fault is on'] : lines);
});

export const stop = steerCommand(async ({ mock, print }) => {
  await mock.POST('/stop');
  if (!(await hasEnded(mock)))
    throw new MockUnreachable(`the mock at ${mock.url} does not stop; end its process`);
  print({ stopped: mock.url }, [`the mock at ${mock.url} has ended`]);
});

const longestMs = 10_000;
const pollMs = 50;

async function hasEnded(mock: MockClient): Promise<boolean> {
  const end = performance.now() + longestMs;
  while (performance.now() < end) {
    try {
      await mock.GET('/clock');
    } catch {
      // A call that fails only at the end has timed out, so the mock still runs.
      return performance.now() < end;
    }
    await sleep(pollMs);
  }
  return false;
}
