// What the flags of the commands that start a mock mean.
import { randomBytes } from 'node:crypto';
import { type StartedMock, type StartOptions, startMock } from '../../mock/start.ts';
import { hidesPassword } from '../../mock/store/store-url.ts';
import { mostDemoTenants } from '../../mock/world/demo-world.ts';
import { readPem } from './certificates.ts';
import { readProfile } from './deployment-options.ts';
import { type Environment, type Given, readSecret } from './flags.ts';
import { readChoice, readDuration, readNumber } from './read-values.ts';
import { UsageError } from './usage-error.ts';

type OtherOptions = Pick<StartOptions, 'onStop' | 'log'>;

/** Starts a mock as the flags say. Its internal errors are printed on standard error, unless there is another `log`. */
export function startMockFromFlags(
  given: Given,
  defaultPort: number,
  others?: OtherOptions,
): Promise<StartedMock> {
  return startMock(readStartOptions(given, defaultPort, others));
}

/** What the flags say of the mock to be started. Throws UsageError. */
export function readStartOptions(given: Given, defaultPort: number, others: OtherOptions = {}): StartOptions {
  const world = given.text('world');
  const tenants = readNumber(given, 'tenants', mostDemoTenants);
  const profile = readProfile(given);
  const seed = readNumber(given, 'seed', 2 ** 32 - 1);
  const publicUrl = given.text('public-url');
  return {
    port: readNumber(given, 'port', 65_535) ?? defaultPort,
    host: given.text('host') ?? '127.0.0.1',
    limits: readChoice(given, 'limits', ['on', 'off']),
    cors: given.switched('cors'),
    hostNames: given.list('host-name'),
    refusePrivateTargets: given.switched('refuse-private-targets'),
    variations: given.list('vary'),
    faults: given.list('fault'),
    log: (entry) => console.error(entry),
    // What is left out may be in a store.
    ...(profile !== undefined && { profile }),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(seed !== undefined && { seed }),
    ...(world !== undefined && { world }),
    // A saved world has a clock of its own.
    ...(given.text('clock') !== undefined && { clock: readChoice(given, 'clock', ['real', 'manual']) }),
    ...(tenants !== undefined && { tenants }),
    ...others,
    ...readLatency(given),
    ...readControlAccess(given),
    ...readHttps(given),
  };
}

/** The path or name of the mock's profile. */
export function profileOf(given: Given): string {
  return given.text('profile') ?? 'default';
}

function readLatency(given: Given): Pick<StartOptions, 'latency'> {
  const text = given.text('latency');
  if (text === undefined) return {};
  const [, least, most = least] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
  if (least === undefined || Number(most) < Number(least))
    throw new UsageError(`--latency is "${text}"; expected milliseconds from and to, such as 20-200`);
  return { latency: { least: Number(least), most: Number(most) } };
}

function readControlAccess(given: Given): Pick<StartOptions, 'controlPort' | 'controlToken'> {
  const controlPort = readNumber(given, 'control-port', 65_535);
  const fresh = given.switched('control-token') ? randomBytes(24).toString('hex') : undefined;
  const controlToken = readSecret('SITEPUB_CONTROL_TOKEN') ?? fresh;
  return {
    ...(controlPort !== undefined && { controlPort }),
    ...(controlToken !== undefined && { controlToken }),
  };
}

function readHttps(given: Given): Pick<StartOptions, 'https'> {
  const [cert, key] = [readPem(given, 'tls-cert')?.pem, readPem(given, 'tls-key')?.pem];
  if (cert !== undefined && key !== undefined) return { https: { cert, key } };
  if (cert !== undefined) throw new UsageError('--tls-cert needs its key; give --tls-key FILE too');
  if (key !== undefined) throw new UsageError('--tls-key needs a certificate; give --tls-cert FILE too');
  return given.switched('https') ? { https: true } : {};
}

/** The format of the lines; undefined for none, as with --json unless --log is given too. */
export function readLog(given: Given): 'text' | 'json' | undefined {
  const format = given.text('log');
  if (given.switched('quiet')) {
    if (format !== undefined) throw new UsageError('--quiet and --log exclude each other; leave one out');
    return undefined;
  }
  if (format === undefined && given.switched('json')) return undefined;
  return readChoice<'text' | 'json'>(given, 'log', ['text', 'json']);
}

/** Throws UsageError. */
export function readStoreMigrate(given: Given): 'start' | 'never' {
  return readChoice(given, 'store-migrate', ['start', 'never']);
}

/** In milliseconds. */
export function readStoreWait(given: Given): number {
  return readDuration('--store-wait', given.text('store-wait') ?? '30s');
}

/** Throws UsageError. */
export function readStore(given: Given, environment: Environment = process.env): string | undefined {
  const secret = readSecret('SITEPUB_STORE', environment);
  const store = given.text('store') ?? secret;
  if (store === undefined) return undefined;
  if (store !== secret && hidesPassword(store))
    throw new UsageError(
      '--store has a password in it, which every process list shows; set SITEPUB_STORE or SITEPUB_STORE_FILE to that URL, and leave --store out',
    );
  if (given.switched('watch'))
    throw new UsageError(
      '--watch begins anew with a changed file, and --store goes on with the world that it keeps; leave one of them out',
    );
  return store;
}
