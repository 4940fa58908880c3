// The flags of the commands that start a mock, and what they mean.
import { randomBytes } from 'node:crypto';
import { type StartedMock, type StartOptions, startMock } from '../../mock/start.ts';
import { mostDemoTenants } from '../../mock/world/demo-world.ts';
import { type Flags, type Given, listFlag, readSecret, secretFlag, switchFlag, textFlag } from './flags.ts';
import { httpsFlags, readHttps } from './https-options.ts';
import { readNumber } from './read-number.ts';
import { profileFlag, readProfile } from './shared-flags.ts';
import { UsageError } from './usage-error.ts';

export const mockFlags: Flags = {
  host: textFlag(
    'H',
    'address to listen on (default: 127.0.0.1); any but a loopback address requires a control token',
  ),
  profile: profileFlag,
  world: textFlag(
    'FILE',
    'world file, or a world that `sitepub world save` has kept, to start with instead of the demo world',
  ),
  clock: textFlag(
    'MODE',
    'real, or manual: stands still until it is moved (default: real, or as a saved world has it)',
  ),
  seed: textFlag('N', 'the same seed produces the same identifiers and tokens (default: 1)'),
  tenants: textFlag('N', 'how many tenants the demo world has, 1 to 1000 (default: 2)'),
  limits: textFlag(
    'on|off',
    'off takes any number of logins, publishes and AI calls a minute, for tests that run side by side (default: on)',
  ),
  latency: textFlag('MS-MS', 'delay every answer by a time in this range, such as 20-200'),
  cors: switchFlag('let web pages of any origin call the service; never the control API'),
  ...httpsFlags,
  'host-name': listFlag(
    'NAME…',
    'host names by which the control API may be called without a token, besides localhost and IP addresses',
  ),
  'public-url': textFlag(
    'URL',
    'address under which others reach the mock, such as that of a tunnel: it is shown in place of the own one, and its host is one of --host-name',
  ),
  'control-port': textFlag('N', 'a separate port for the control API'),
  'control-token': secretFlag(
    'require a token for the control API: that of SITEPUB_CONTROL_TOKEN, or a new one, which is printed',
  ),
  vary: listFlag('ID…', 'behave differently where the document allows it: ids of variations, or all'),
  fault: listFlag('ID…', 'break a promise: ids of faults (`sitepub list faults` shows all)'),
  'refuse-private-targets': switchFlag(
    'refuse subscriptions and pushes to private networks, as a remote service would',
  ),
};

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

/** One of two words; the first where none is given. */
function readChoice<Word extends string>(
  given: Given,
  name: string,
  [usual, other]: readonly [Word, Word],
): Word {
  const word = given.text(name) ?? usual;
  if (word === usual || word === other) return word as Word;
  throw new UsageError(`--${name} is "${word}"; expected ${usual} or ${other}`);
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
