import { setFlagsFromString } from 'node:v8';
import type { StartedMock } from '../../mock/start.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { visibleJson } from '../../openapi/visible-text.ts';
import { type Flags, readFlagsOrHelp, switchFlag, textFlag } from '../options/flags.ts';
import { logFlags, readLog } from '../options/log-options.ts';
import { mockFlags, profileOf, startMockFromFlags } from '../options/mock-options.ts';
import { quickStart } from '../output/quick-start.ts';
import { createTeller, endUnread } from '../output/tell-notes.ts';
import { unusualSettings } from '../output/unusual-settings.ts';
import { recordMock } from '../steer/running-mocks.ts';

const flags: Flags = {
  port: textFlag('N', 'port to listen on, 0 for any free one (default: 4010)'),
  ...mockFlags,
  json: switchFlag('print one line of JSON when ready, and nothing else unless --log is given'),
  ...logFlags,
};

/** `sitepub mock`: runs the mock until it is interrupted. */
export async function mock(args: readonly string[]): Promise<number> {
  const given = readFlagsOrHelp(args, flags, { usage: 'sitepub mock: runs a local mock of the service' });
  if (!given) return 0;
  const format = readLog(given);
  const tell = format && createTeller(format);
  limitHeapGrowth();
  const ending = Promise.withResolvers<Ending>();
  const started = await startMockFromFlags(given, 4010, {
    onStop: () => ending.resolve('drain'),
    ...(tell && { log: (message) => tell([{ type: 'error', message }]) }),
  });
  const { name: profile } = loadProfile(profileOf(given));
  // A caller may interrupt the mock as soon as it prints that it is ready.
  endOnSignals(ending.resolve);
  const forget = recordMock(started.controlUrl);
  const unwatch = tell && started.worlds.watch(tell);
  const unusual = unusualSettings(given);
  console.log(
    given.switched('json')
      ? readyLine(started, profile)
      : quickStart(started, { profile, unusual, isTold: tell !== undefined }),
  );
  if (!forget && format === 'text')
    console.error(
      'sitepub: other commands find this mock by --control-url only: the temporary folder is of no use for a record',
    );
  const how = await ending.promise;
  forget?.();
  await started[how]();
  unwatch?.();
  endUnread();
  return 0;
}

type Ending = 'drain' | 'close';

/** By default the engine would use 200 MB more for objects that live no longer than a request. */
function limitHeapGrowth(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=20');
}

/** One line, for scripts: once it is printed, the mock answers. */
function readyLine({ baseUrl, controlUrl, controlToken, tenants }: StartedMock, profile: string): string {
  const rows = tenants.map(({ id, name, users, apiKey, sites }) => ({
    id,
    name,
    users,
    api_key: apiKey,
    site_ids: sites.map((site) => site.id),
  }));
  return visibleJson({
    base_url: baseUrl,
    control_url: controlUrl,
    ...(controlToken !== undefined && { control_token: controlToken }),
    pid: process.pid,
    profile,
    tenants: rows,
  });
}

/** Ctrl-C ends the mock at once; SIGTERM, which supervisors send, lets it finish its work. */
function endOnSignals(end: (how: Ending) => void): void {
  process.once('SIGINT', () => end('close'));
  process.once('SIGTERM', () => end('drain'));
}
