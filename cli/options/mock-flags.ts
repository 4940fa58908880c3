// The flags of the commands that start a mock or control a running one.
import { flags } from './flags.ts';

export const profileFlag = flags({
  '--profile <P>': 'profile: a path, or the name of a packaged profile (default: default) [SITEPUB_PROFILE]',
});

export const caFlag = flags({
  '--ca <FILE>': 'PEM file with additional CA certificates to trust',
});

/** Each world of a mock may have its own values. */
const worldFlags = {
  ...profileFlag,
  ...flags({
    '--world <FILE>': 'world file, or a file written by `sitepub mock save` (default: the demo world)',
    '--clock <real|manual>':
      'real, or manual: the clock stops until you advance it (default: the clock of a saved world, otherwise real)',
    '--seed <N>': 'seed for identifiers and tokens; the same seed generates the same values (default: 1)',
    '--vary <ID…>': 'turn on these variations, which the interface document allows: ids, or all',
    '--fault <ID…>': 'turn on these faults, which break promises (ids from `sitepub list faults`)',
  }),
};

const serverFlags = flags({
  '--host <H>':
    'address to listen on (default: 127.0.0.1); addresses other than loopback require a control token',
  '--tenants <N>': 'number of tenants in the demo world, 1 to 1000 (default: 2)',
  '--limits <on|off>':
    'off: do not limit logins, publishes and AI calls per minute, for example for parallel tests (default: on)',
  '--latency <MS-MS>': 'delay every answer by a random time in this range of milliseconds, such as 20-200',
  '--cors': 'allow web pages from any origin to call the service, but not the control API',
  '--https': 'serve HTTPS, with a generated certificate or your own from --tls-cert',
  '--tls-cert <FILE>': 'PEM file with your certificate and its intermediate certificates',
  '--tls-key <FILE>': 'PEM file with the unencrypted private key for --tls-cert',
  '--host-name <NAME…>':
    'host names for which the control API requires no token, in addition to localhost and IP addresses',
  '--public-url <URL>':
    'public URL of the mock, for example of a tunnel; the mock displays this URL, and adds its host to --host-name',
  '--control-port <N>': 'separate port for the control API',
  '--control-token':
    'require a token for the control API: the value of SITEPUB_CONTROL_TOKEN, or a new token that is printed at startup',
  '--refuse-private-targets':
    'reject subscriptions and pushes to private networks, as a hosted service would',
});

/** The start screen lists those that are set. */
export const settingFlags = { ...worldFlags, ...serverFlags };

const storeHelp =
  'store: a file (file:mock.db) or a database (postgres://…); if the URL contains a password, set SITEPUB_STORE or SITEPUB_STORE_FILE instead';

export const mockFlags = {
  ...flags({ '-p, --port <N>': 'port to listen on, or 0 for any free port (default: 4010) [SITEPUB_PORT]' }),
  ...worldFlags,
  ...serverFlags,
  ...flags({
    '--store <STORE>': `${storeHelp} (default: none, worlds exist only in memory)`,
    '--store-wait <TIME>':
      'how long to wait at startup for the database to become available, such as 2m or 0 (default: 30s)',
    '--store-migrate <start|never>':
      'start: create the tables of the store at startup; never: only check them, and run `sitepub mock store migrate` yourself (default: start)',
    '--watch':
      'reload the world file and the profile when they change; an invalid file is reported and ignored',
    '--json': 'print one line of JSON when ready, and no log unless you pass --log',
    '--log <text|json>':
      'format of the log on standard error, one line for each request, push and clock change (default: text)',
    '-q, --quiet': 'do not print a log',
  }),
};

export const controlFlags = {
  ...flags({
    '--control-url <URL>':
      'control API of the mock, such as http://127.0.0.1:4010/_mock (default: the mock last started on this machine) [SITEPUB_CONTROL_URL]',
  }),
  ...caFlag,
};

const ownWorldFlags = {
  ...flags({
    '--in-running-mock':
      'instead of starting a mock, create a world in a running mock and delete it after the command',
    '--expires-in <D>':
      'with --in-running-mock: maximum lifetime of that world, such as 2h or P1D (default: P1D)',
  }),
  ...controlFlags,
};

export const execFlags = {
  ...flags({ '-p, --port <N>': 'port of the mock (default: any free port)' }),
  ...worldFlags,
  ...serverFlags,
  ...ownWorldFlags,
};

/** All other flags of `exec` apply only to a new mock. */
export const worldExecFlags = [...Object.keys(worldFlags), ...Object.keys(ownWorldFlags)];

const jsonFlag = flags({ '--json': 'print one JSON object per line' });

export const steeringFlags = { ...jsonFlag, ...controlFlags };

export const followFlag = flags({
  '-f, --follow': 'print new items until you press Ctrl-C or the mock stops',
});

export const storeFlags = { ...flags({ '--store <STORE>': storeHelp }), ...jsonFlag };
