// The commands for a running mock itself: `sitepub mock status`, `fault` and `stop`.
import { setTimeout as sleep } from 'node:timers/promises';
import { shown } from '../output/note-lines.ts';
import { describeMock } from './control-calls.ts';
import { type MockClient, MockUnreachable } from './mock-client.ts';
import { steerCommand } from './steer-command.ts';

/** `sitepub mock status`: where the mock is, and how it behaves. */
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

/** `sitepub mock fault [ID…|none]`: which promises the mock breaks. */
export const fault = steerCommand(async ({ mock, words, print }) => {
  const on = words.filter((word) => word !== 'none');
  const { faults, on: chosen } =
    words.length === 0 ? await mock.GET('/faults') : await mock.PUT('/faults', { body: { on } });
  const rows = faults.filter(({ id }) => chosen.includes(id));
  const lines = rows.map(({ id, requirement, title }) => `${id}  ${requirement}  ${title}`);
  print({ on: chosen }, lines.length === 0 ? ['no fault is on'] : lines);
});

/** `sitepub mock stop`: ends the mock. */
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
      // A mock that gives no answer for so long has not ended.
      return performance.now() < end;
    }
    await sleep(pollMs);
  }
  return false;
}
