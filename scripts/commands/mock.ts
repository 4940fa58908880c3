import { type StartedMock, startMock } from '../../mock/start.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { describeFlags, type Flags, type Given, readFlags } from '../flags.ts';
import { quickStart } from '../quick-start.ts';
import { UsageError } from '../usage-error.ts';

const flags: Flags = {
  port: { kind: 'text', value: 'N', help: 'port to listen on, 0 for any free one (default: 4010)' },
  host: { kind: 'text', value: 'H', help: 'loopback address to listen on (default: 127.0.0.1)' },
  profile: {
    kind: 'text',
    value: 'P',
    help: 'path of a profile, or the name of one that comes with sitepub (default: default)',
  },
  seed: {
    kind: 'text',
    value: 'N',
    help: 'the same seed gives the same identifiers and tokens (default: 1)',
  },
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
  const profile = given.text('profile') ?? 'default';
  const started = await startMock({
    profile,
    port: wholeNumber(given, 'port', { otherwise: 4010, most: 65_535 }),
    seed: wholeNumber(given, 'seed', { otherwise: 1, most: 2 ** 32 - 1 }),
    host: given.text('host') ?? '127.0.0.1',
    log: (entry) => console.error(entry),
  });
  const { name } = loadProfile(profile);
  console.log(given.switched('json') ? readyLine(started, name) : quickStart(started, name));
  await interruption();
  await started.close();
  return 0;
}

/** One line, for scripts: when it is there, the mock answers. */
function readyLine({ baseUrl, controlUrl, tenants }: StartedMock, profile: string): string {
  const rows = tenants.map(({ name, users, apiKey, sites }) => ({
    name,
    users,
    api_key: apiKey,
    site_ids: sites.map(({ id }) => id),
  }));
  return JSON.stringify({
    base_url: baseUrl,
    control_url: controlUrl,
    pid: process.pid,
    profile,
    tenants: rows,
  });
}

function wholeNumber(
  given: Given,
  name: string,
  { otherwise, most }: { otherwise: number; most: number },
): number {
  const text = given.text(name);
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > most)
    throw new UsageError(`--${name} is "${text}"; expected a whole number from 0 to ${most}`);
  return value;
}

function interruption(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}
