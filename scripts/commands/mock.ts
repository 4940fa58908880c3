import { setFlagsFromString } from 'node:v8';
import type { StartedMock } from '../../mock/start.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { describeFlags, type Flags, readFlags } from '../options/flags.ts';
import { mockFlags, profileOf, startMockFromFlags } from '../options/mock-options.ts';
import { quickStart } from '../output/quick-start.ts';

const flags: Flags = {
  port: { kind: 'text', value: 'N', help: 'port to listen on, 0 for any free one (default: 4010)' },
  ...mockFlags,
  json: { kind: 'switch', help: 'print one line of JSON when ready, and nothing else' },
  help: { kind: 'switch', help: 'show this' },
};

/** `sitepub mock`: runs the mock until it is interrupted. */
export async function mock(args: readonly string[]): Promise<number> {
  const given = readFlags(args, flags);
  if (given.switched('help')) {
    console.log(`sitepub mock: a local twin of the service\n\n${describeFlags(flags)}`);
    return 0;
  }
  limitHeapGrowth();
  const started = await startMockFromFlags(given, 4010);
  const { name } = loadProfile(profileOf(given));
  // Whoever reads that it is ready may interrupt it at once.
  const interrupted = interruption();
  console.log(given.switched('json') ? readyLine(started, name) : quickStart(started, name));
  if ((await interrupted) === 'SIGTERM') await started.drain();
  else await started.close();
  return 0;
}

/** Left to itself, the engine would take 200 MB more for what lives only as long as a request. */
function limitHeapGrowth(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=20');
}

/** One line, for scripts: when it is there, the mock answers. */
function readyLine({ baseUrl, controlUrl, controlToken, tenants }: StartedMock, profile: string): string {
  const rows = tenants.map(({ id, name, users, apiKey, sites }) => ({
    id,
    name,
    users,
    api_key: apiKey,
    site_ids: sites.map((site) => site.id),
  }));
  return JSON.stringify({
    base_url: baseUrl,
    control_url: controlUrl,
    ...(controlToken !== undefined && { control_token: controlToken }),
    pid: process.pid,
    profile,
    tenants: rows,
  });
}

/** A person who presses Ctrl-C wants it to end; a supervisor that sends SIGTERM lets it end well. */
function interruption(): Promise<'SIGINT' | 'SIGTERM'> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve('SIGINT'));
    process.once('SIGTERM', () => resolve('SIGTERM'));
  });
}
