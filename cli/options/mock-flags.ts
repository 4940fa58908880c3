// The flags of the commands that start a mock or steer a running one.
import { flags } from './flags.ts';

export const profileFlag = flags({
  '--profile <P>': 'profile: a path, or the name of a packaged one (default: default) [SITEPUB_PROFILE]',
});

export const caFlag = flags({
  '--ca <FILE>': 'PEM file with CA certificates to trust in addition to the usual ones',
});

/** Each world of a mock may have its own values. */
const worldFlags = {
  ...profileFlag,
  ...flags({
    '--world <FILE>': 'world file, or file of `sitepub mock save` (default: the demo world)',
    '--clock <real|manual>':
      'real, or manual: the clock moves only when you move it (default: that of a saved world, else real)',
    '--seed <N>': 'seed of identifiers and tokens; the same seed repeats them (default: 1)',
    '--vary <ID…>': 'turn on variations that the interface document allows: ids, or all',
    '--fault <ID…>': 'turn on faults, which break promises: ids (see `sitepub list faults`)',
  }),
};

const serverFlags = flags({
  '--host <H>':
    'address to listen on (default: 127.0.0.1); any other than a loopback address requires a control token',
  '--tenants <N>': 'number of tenants in the demo world, 1 to 1000 (default: 2)',
  '--limits <on|off>':
    'off: any number of logins, publishes and AI calls a minute, for parallel tests (default: on)',
  '--latency <MS-MS>': 'delay every answer by a random time in this range, such as 20-200',
  '--cors': 'let web pages of any origin call the service, but not the control API',
  '--https': 'serve HTTPS, with a generated certificate or that of --tls-cert',
  '--tls-cert <FILE>': 'PEM file with your own certificate and the certificates that signed it',
  '--tls-key <FILE>': 'PEM file with the unencrypted private key of --tls-cert',
  '--host-name <NAME…>':
    'host names under which the control API needs no token, in addition to localhost and IP addresses',
  '--public-url <URL>':
    'URL under which others reach the mock, such as that of a tunnel; the mock shows it instead of its own, and adds its host to --host-name',
  '--control-port <N>': 'separate port for the control API',
  '--control-token':
    'require a token for the control API: that of SITEPUB_CONTROL_TOKEN, else a new one, which is printed',
  '--refuse-private-targets':
    'refuse subscriptions and pushes to private networks, as a hosted service would',
});

/** The start screen lists those that are set. */
export const settingFlags = { ...worldFlags, ...serverFlags };

const storeHelp =
  'store: a file (file:mock.db) or a database (postgres://…); put a URL with a password into SITEPUB_STORE or SITEPUB_STORE_FILE';

export const mockFlags = {
  ...flags({ '-p, --port <N>': 'port to listen on, 0 for any free one (default: 4010) [SITEPUB_PORT]' }),
  ...worldFlags,
  ...serverFlags,
  ...flags({
    '--store <STORE>': `${storeHelp} (default: worlds are only in memory)`,
    '--store-wait <TIME>':
      'how long to wait at start for a database that does not answer, such as 2m or 0 (default: 30s)',
    '--store-migrate <start|never>':
      'start: create or update the tables of the store; never: only check them, because you run `sitepub mock store migrate` (default: start)',
    '--watch':
      'reload the world file and the profile when they change; an invalid file is reported and ignored',
    '--json': 'print one line of JSON when ready, and nothing else unless --log is given',
    '--log <text|json>':
      'format of the log on standard error, one line for each request, push and clock change (default: text)',
    '-q, --quiet': 'print no log',
  }),
};

export const controlFlags = {
  ...flags({
    '--control-url <URL>':
      'control API of the mock, such as http://127.0.0.1:4010/_mock (default: the mock that you started last on this machine) [SITEPUB_CONTROL_URL]',
  }),
  ...caFlag,
};

const ownWorldFlags = {
  ...flags({
    '--in-running-mock': 'start no mock: create a world in a running one, and delete it after the command',
    '--expires-in <D>':
      'with --in-running-mock: longest lifetime of that world, such as 2h or P1D (default: P1D)',
  }),
  ...controlFlags,
};

export const execFlags = {
  ...flags({ '-p, --port <N>': 'port of the mock (default: any free one)' }),
  ...worldFlags,
  ...serverFlags,
  ...ownWorldFlags,
};

/** All other flags of `exec` apply only to a new mock. */
export const worldExecFlags = [...Object.keys(worldFlags), ...Object.keys(ownWorldFlags)];

const jsonFlag = flags({ '--json': 'print JSON, one line for each item' });

export const steeringFlags = { ...jsonFlag, ...controlFlags };

export const followFlag = flags({
  '-f, --follow': 'keep printing new items until Ctrl-C, or until the mock ends',
});

export const storeFlags = { ...flags({ '--store <STORE>': storeHelp }), ...jsonFlag };
