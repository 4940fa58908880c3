// The flags of the commands that start a mock, and of those that are for a running one.
import { flags } from './flags.ts';

export const profileFlag = flags({
  '--profile <P>':
    'path of a profile, or the name of one that comes with sitepub (default: default) [SITEPUB_PROFILE]',
});

export const caFlag = flags({
  '--ca <FILE>': 'certificates of private authorities (PEM), trusted beside the usual ones',
});

/** Flags that each named world may set. */
const worldFlags = {
  ...profileFlag,
  ...flags({
    '--world <FILE>': 'a world file, or what `sitepub mock save` wrote (default: the demo world)',
    '--clock <real|manual>':
      'real, or manual: stands still until it is moved (default: real, or as a saved world has it)',
    '--seed <N>': 'the same seed produces the same identifiers and tokens (default: 1)',
    '--vary <ID…>': 'behave differently where the document allows it: ids of variations, or all',
    '--fault <ID…>': 'break a promise: ids of faults (`sitepub list faults` shows all)',
  }),
};

const serverFlags = flags({
  '--host <H>':
    'address to listen on (default: 127.0.0.1); any but a loopback address requires a control token',
  '--tenants <N>': 'how many tenants the demo world has, 1 to 1000 (default: 2)',
  '--limits <on|off>':
    'off takes any number of logins, publishes and AI calls a minute, for tests that run side by side (default: on)',
  '--latency <MS-MS>': 'delay every answer by a time in this range, such as 20-200',
  '--cors': 'let web pages of any origin call the service; never the control API',
  '--https': 'serve https, by a certificate that is made for it, or that of --tls-cert',
  '--tls-cert <FILE>': 'a certificate of your own (PEM), with those that have signed it',
  '--tls-key <FILE>': 'its key (PEM), not encrypted',
  '--host-name <NAME…>':
    'host names by which the control API may be called without a token, besides localhost and IP addresses',
  '--public-url <URL>':
    'address under which others reach the mock, such as that of a tunnel: it is shown in place of the own one, and its host is one of --host-name',
  '--control-port <N>': 'a separate port for the control API',
  '--control-token':
    'require a token for the control API: that of SITEPUB_CONTROL_TOKEN, or a new one, which is printed',
  '--refuse-private-targets':
    'refuse subscriptions and pushes to private networks, as a remote service would',
});

/** What a mock does otherwise than usual. */
export const settingFlags = { ...worldFlags, ...serverFlags };

const storeHelp =
  'a file (file:mock.db) or a database (postgres://…); a URL with a password comes by SITEPUB_STORE or SITEPUB_STORE_FILE';

export const mockFlags = {
  ...flags({ '-p, --port <N>': 'port to listen on, 0 for any free one (default: 4010) [SITEPUB_PORT]' }),
  ...worldFlags,
  ...serverFlags,
  ...flags({
    '--store <STORE>': `${storeHelp} (default: the world lives in memory)`,
    '--store-wait <TIME>':
      'how long to wait at the start for a database that is not there, such as 2m or 0 (default: 30s)',
    '--store-migrate <start|never>':
      'never only checks whether the tables of the store fit; `sitepub mock store migrate` makes them then (default: start)',
    '--watch':
      'read the world file and the profile anew when they change; a broken one is reported, and the old one stays',
    '--json': 'print one line of JSON when ready, and nothing else unless --log is given',
    '--log <text|json>':
      'a line on standard error for each request, push and move of the clock: text (default), or json',
    '-q, --quiet': 'no such lines',
  }),
};

/** Where a running mock is found. */
export const controlFlags = {
  ...flags({
    '--control-url <URL>':
      'control API of the mock, such as http://127.0.0.1:4010/_mock (default: the mock started last here) [SITEPUB_CONTROL_URL]',
  }),
  ...caFlag,
};

/** The flags of a mock that starts, and of a world in one that is running. */
const ownWorldFlags = {
  ...flags({
    '--in-running-mock': 'start no mock: make a world in one that is running, and end it with the command',
    '--expires-in <D>': 'with --in-running-mock, how long that world lasts at most (default: P1D)',
  }),
  ...controlFlags,
};

export const execFlags = {
  ...flags({ '-p, --port <N>': 'port of the mock (default: any free one)' }),
  ...worldFlags,
  ...serverFlags,
  ...ownWorldFlags,
};

/** All other flags of `exec` are for a mock that starts. */
export const flagsOfOwnWorlds = [...Object.keys(worldFlags), ...Object.keys(ownWorldFlags)];

const jsonFlag = flags({ '--json': 'as JSON, in one line for each thing' });

export const steeringFlags = { ...jsonFlag, ...controlFlags };

export const followFlag = flags({
  '-f, --follow': 'go on with what comes, until Ctrl-C or the end of the mock',
});

export const storeFlags = { ...flags({ '--store <STORE>': storeHelp }), ...jsonFlag };
