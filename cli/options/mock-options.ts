import { randomBytes } from 'node:crypto';
import type { KeptOptions, StartedMock, StartOptions } from '../../mock/start.ts';
import { hidesPassword } from '../../mock/store/store-url.ts';
import { mostDemoTenants } from '../../mock/world/demo-world.ts';
import { readPem } from './connection-options.ts';
import { dropEmpty, readProfile } from './deployment-options.ts';
import { type Environment, type Given, readSecret } from './flags.ts';
import { readChoice, readDuration, readFlag, readNumber, readSeed } from './read-values.ts';
import { UsageError } from './usage-error.ts';

/** Without `log`, internal errors of the mock go to standard error. Throws UsageError. */
export function readStartOptions(
  given: Given,
  defaultPort: number,
  others: Pick<StartOptions, 'onStop' | 'log'> = {},
): StartOptions {
  return {
    port: readNumber(given, 'port', 65_535) ?? defaultPort,
    host: given.text('host') ?? '127.0.0.1',
    limits: readChoice(given, 'limits', ['on', 'off']) ?? 'on',
    cors: given.switched('cors'),
    hostNames: given.list('host-name'),
    refusePrivateTargets: given.switched('refuse-private-targets'),
    variations: given.list('vary'),
    faults: given.list('fault'),
    log: (entry) => console.error(entry),
    // Missing values may come from a store or a saved world.
    ...dropEmpty({
      profile: readProfile(given),
      publicUrl: given.text('public-url'),
      seed: readSeed(given),
      world: given.text('world'),
      clock: readChoice(given, 'clock', ['real', 'manual']),
      tenants: readNumber(given, 'tenants', mostDemoTenants),
      latency: readLatency(given),
      controlPort: readNumber(given, 'control-port', 65_535),
      controlToken: readControlToken(given),
      https: readHttps(given),
    }),
    ...others,
  };
}

function readLatency(given: Given): StartOptions['latency'] {
  return readFlag(given, 'latency', {
    expected: 'milliseconds from and to, such as 20-200',
    parse: (text) => {
      const [, least = NaN, most = least] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
      return Number(most) >= Number(least) ? { least: Number(least), most: Number(most) } : undefined;
    },
  });
}

function readControlToken(given: Given): string | undefined {
  const fresh = given.switched('control-token') ? randomBytes(24).toString('hex') : undefined;
  return readSecret('SITEPUB_CONTROL_TOKEN', given.environment) ?? fresh;
}

function readHttps(given: Given): StartOptions['https'] {
  const [cert, key] = [readPem(given, 'tls-cert')?.pem, readPem(given, 'tls-key')?.pem];
  if (cert !== undefined && key !== undefined) return { cert, key };
  if (cert !== undefined) throw new UsageError('--tls-cert needs a private key; add --tls-key FILE');
  if (key !== undefined) throw new UsageError('--tls-key needs a certificate; add --tls-cert FILE');
  return given.switched('https') || undefined;
}

/** Undefined for no log. */
export function readLog(given: Given): 'text' | 'json' | undefined {
  const format = readChoice(given, 'log', ['text', 'json']);
  const isQuiet = given.switched('quiet');
  if (isQuiet && format !== undefined)
    throw new UsageError('--quiet and --log cannot be used together; remove one');
  return format ?? (isQuiet || given.switched('json') ? undefined : 'text');
}

export function readStore(given: Given): string | undefined {
  const store = given.text('store') ?? readSecret('SITEPUB_STORE', given.environment);
  if (store === undefined) return undefined;
  if (given.cliFlags.includes('store') && hidesPassword(store))
    throw new UsageError(
      '--store contains a password, and process lists show flags; set SITEPUB_STORE or SITEPUB_STORE_FILE instead',
    );
  if (given.switched('watch'))
    throw new UsageError(
      '--watch and --store cannot be used together, because a changed file restarts the world; remove one',
    );
  return store;
}

/** Undefined if worlds are only in memory. Throws UsageError. */
export function readStoreOptions(
  given: Given,
): Required<Pick<KeptOptions, 'store' | 'storeWait' | 'storeMigrate'>> | undefined {
  const storeWait = readDuration(given, 'store-wait', 30_000);
  const storeMigrate = readChoice(given, 'store-migrate', ['start', 'never']) ?? 'start';
  const store = readStore(given);
  return store === undefined ? undefined : { store, storeWait, storeMigrate };
}

interface RunningMock extends Pick<StartedMock, 'baseUrl' | 'controlUrl' | 'controlToken'> {
  tenants: readonly (Pick<StartedMock['tenants'][number], 'users' | 'apiKey'> & {
    sites: readonly { id: number | bigint }[];
  })[];
}

/** The variables that `sitepub test` reads. Leaves out what the world does not have. */
export function mockEnvironment(mock: RunningMock): Record<string, string> {
  const [main, other] = mock.tenants;
  const [user, second] = main?.users ?? [];
  const [otherUser] = other?.users ?? [];
  const variables: Record<string, string | number | bigint | undefined> = {
    SITEPUB_BASE_URL: mock.baseUrl,
    SITEPUB_CONTROL_URL: mock.controlUrl,
    SITEPUB_CONTROL_TOKEN: mock.controlToken,
    SITEPUB_USERNAME: user?.username,
    SITEPUB_PASSWORD: user?.password,
    SITEPUB_SITE_ID: main?.sites[0]?.id,
    SITEPUB_API_KEY: main?.apiKey,
    SITEPUB_SECOND_USERNAME: second?.username,
    SITEPUB_SECOND_PASSWORD: second?.password,
    SITEPUB_OTHER_USERNAME: otherUser?.username,
    SITEPUB_OTHER_PASSWORD: otherUser?.password,
    SITEPUB_OTHER_SITE_ID: other?.sites[0]?.id,
  };
  const given = Object.entries(variables).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

const thisMachine = ['localhost', '127.0.0.1', '::1'];

/** Excludes this machine and the host of the URL from proxies, in addition to hosts that are excluded already. */
export function withoutProxy(
  url: string,
  { NO_PROXY: upper = '', no_proxy: lower = '' }: Environment = process.env,
): Record<string, string> {
  const hosts = [...thisMachine, new URL(url).hostname.replace(/^\[|\]$/g, '')];
  const extend = (given: string) => {
    const named = given.split(/[\s,]+/).filter(Boolean);
    return named.includes('*') ? given : [...new Set([...named, ...hosts])].join(',');
  };
  return { NO_PROXY: extend(upper || lower), no_proxy: extend(lower || upper) };
}
