// The flags of the commands that start a mock, and of those that are for a running one.
import { type Flag, type Flags, listFlag, switchFlag, textFlag } from './flags.ts';

export const profileFlag: Flag = textFlag(
  'P',
  'path of a profile, or the name of one that comes with sitepub (default: default)',
  { variable: 'SITEPUB_PROFILE' },
);

const jsonFlag: Flag = switchFlag('as JSON, in one line for each thing');

export const caFlag: Flag = textFlag(
  'FILE',
  'certificates of private authorities (PEM), trusted beside the usual ones',
);

export const clocks = ['real', 'manual'] as const;
export const limits = ['on', 'off'] as const;
export const logs = ['text', 'json'] as const;
export const migrations = ['start', 'never'] as const;

/** What a world may have of its own. */
const worldFlags: Flags = {
  profile: profileFlag,
  world: textFlag('FILE', 'a world file, or what `sitepub mock save` wrote (default: the demo world)'),
  clock: textFlag(
    'MODE',
    'real, or manual: stands still until it is moved (default: real, or as a saved world has it)',
    { choices: clocks },
  ),
  seed: textFlag('N', 'the same seed produces the same identifiers and tokens (default: 1)'),
  vary: listFlag('ID…', 'behave differently where the document allows it: ids of variations, or all'),
  fault: listFlag('ID…', 'break a promise: ids of faults (`sitepub list faults` shows all)'),
};

const serverFlags: Flags = {
  host: textFlag(
    'H',
    'address to listen on (default: 127.0.0.1); any but a loopback address requires a control token',
  ),
  tenants: textFlag('N', 'how many tenants the demo world has, 1 to 1000 (default: 2)'),
  limits: textFlag(
    'on|off',
    'off takes any number of logins, publishes and AI calls a minute, for tests that run side by side (default: on)',
    { choices: limits },
  ),
  latency: textFlag('MS-MS', 'delay every answer by a time in this range, such as 20-200'),
  cors: switchFlag('let web pages of any origin call the service; never the control API'),
  https: switchFlag('serve https, by a certificate that is made for it, or that of --tls-cert'),
  'tls-cert': textFlag('FILE', 'a certificate of your own (PEM), with those that have signed it'),
  'tls-key': textFlag('FILE', 'its key (PEM), not encrypted'),
  'host-name': listFlag(
    'NAME…',
    'host names by which the control API may be called without a token, besides localhost and IP addresses',
  ),
  'public-url': textFlag(
    'URL',
    'address under which others reach the mock, such as that of a tunnel: it is shown in place of the own one, and its host is one of --host-name',
  ),
  'control-port': textFlag('N', 'a separate port for the control API'),
  'control-token': {
    kind: 'secret',
    help: 'require a token for the control API: that of SITEPUB_CONTROL_TOKEN, or a new one, which is printed',
  },
  'refuse-private-targets': switchFlag(
    'refuse subscriptions and pushes to private networks, as a remote service would',
  ),
};

/** What a mock does otherwise than usual. */
export const settingFlags: Flags = { ...worldFlags, ...serverFlags };

export const storeFlag: Flag = textFlag(
  'STORE',
  'a file (file:mock.db) or a database (postgres://…); a URL with a password comes by SITEPUB_STORE or SITEPUB_STORE_FILE',
);

export const mockFlags: Flags = {
  port: textFlag('N', 'port to listen on, 0 for any free one (default: 4010)', {
    short: 'p',
    variable: 'SITEPUB_PORT',
  }),
  ...worldFlags,
  ...serverFlags,
  store: { ...storeFlag, help: `${storeFlag.help} (default: the world lives in memory)` },
  'store-wait': textFlag(
    'TIME',
    'how long to wait at the start for a database that is not there, such as 2m or 0 (default: 30s)',
  ),
  'store-migrate': textFlag(
    'start|never',
    'never only checks whether the tables of the store fit; `sitepub mock store migrate` makes them then (default: start)',
    { choices: migrations },
  ),
  watch: switchFlag(
    'read the world file and the profile anew when they change; a broken one is reported, and the old one stays',
  ),
  json: switchFlag('print one line of JSON when ready, and nothing else unless --log is given'),
  log: textFlag(
    'FORMAT',
    'a line on standard error for each request, push and move of the clock: text (default), or json',
    { choices: logs },
  ),
  quiet: switchFlag('no such lines', { short: 'q' }),
};

/** Where a running mock is found. */
export const controlFlags: Flags = {
  'control-url': textFlag(
    'URL',
    'control API of the mock, such as http://127.0.0.1:4010/_mock (default: the mock started last here)',
    { variable: 'SITEPUB_CONTROL_URL' },
  ),
  ca: caFlag,
};

/** The flags of a mock that starts, and of a world in one that is running. */
const ownWorldFlags: Flags = {
  'in-running-mock': switchFlag(
    'start no mock: make a world in one that is running, and end it with the command',
  ),
  'expires-in': textFlag('D', 'with --in-running-mock, how long that world lasts at most (default: P1D)'),
  ...controlFlags,
};

export const execFlags: Flags = {
  port: textFlag('N', 'port of the mock (default: any free one)', { short: 'p' }),
  ...worldFlags,
  ...serverFlags,
  ...ownWorldFlags,
};

/** All other flags of `exec` are for a mock that starts. */
export const flagsOfOwnWorlds = [...Object.keys(worldFlags), ...Object.keys(ownWorldFlags)];

export const steeringFlags: Flags = { json: jsonFlag, ...controlFlags };

export const followFlag: Flag = switchFlag('go on with what comes, until Ctrl-C or the end of the mock', {
  short: 'f',
});

export const storeFlags: Flags = { store: storeFlag, json: jsonFlag };
