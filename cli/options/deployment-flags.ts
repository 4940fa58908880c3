// The flags of the commands that call a deployment or read what a run has written.
import { type Flag, type Flags, listFlag, switchFlag, textFlag } from './flags.ts';
import { caFlag, profileFlag } from './mock-flags.ts';

export const baseUrlFlag: Flag = textFlag('URL', 'the address of the deployment, which ends in /api/v1', {
  variable: 'SITEPUB_BASE_URL',
});

/** How a deployment is reached. */
export const connectionFlags: Flags = {
  ca: caFlag,
  cert: textFlag('FILE', 'client certificate (PEM), where the deployment asks for one'),
  key: textFlag('FILE', 'its private key (PEM), unless it is in the same file'),
  header: {
    kind: 'name',
    value: 'NAME',
    help: 'a header that a gateway demands, sent with every call; may be repeated; its value is SITEPUB_HEADER_NAME, with _ for -',
  },
};

/** Where the suite receives webhooks. */
export const receiverFlags: Flags = {
  'receiver-listen': textFlag(
    'HOST:PORT',
    'where the webhook receiver listens (default: 127.0.0.1, any free port)',
  ),
  'receiver-url': textFlag('URL', 'address under which the deployment reaches that receiver'),
};

/** `most`: how many lost answers in a row end a run. */
function requestTimeoutFlag(most: 'three' | 'four'): Flag {
  const meaning =
    'how long a whole answer may take (default: 30s), and twice that for publish, import and AI';
  return textFlag('TIME', `${meaning}; ${most} lost answers in a row end it`, {
    variable: 'SITEPUB_REQUEST_TIMEOUT',
  });
}

export const reportFlags: Flags = {
  'expected-failures': textFlag(
    'F',
    'known failures that are accepted: a YAML map of requirement or check id to reason',
  ),
  report: listFlag('FORMAT=PATH…', 'write reports: json=out.json, junit=…, html=…, markdown=…'),
};

/** What a run is held to. */
export const demandFlags: Flags = {
  require: listFlag(
    'ID…',
    'requirements that must be verified, in full, for exit code 0: ids, groups such as HOOK, or all',
  ),
  'min-verified': textFlag('N', 'how many requirements must pass for exit code 0'),
  baseline: textFlag(
    'F',
    'JSON report of an earlier run: exit code 1 when something passed there and fails here, 3 when it was verified there and is not here',
  ),
};

const controlUrlFlag = (help: string) => textFlag('URL', help, { variable: 'SITEPUB_CONTROL_URL' });

const journalFlag = textFlag(
  'F',
  'file in which resources are listed before they are created (default: one in the temporary folder)',
);

export const testFlags: Flags = {
  'base-url': baseUrlFlag,
  profile: {
    ...profileFlag,
    help: 'how the deployment fills the gaps: path of a profile, or name of a packaged one',
  },
  suite: textFlag('TIER', 'smoke (creates nothing), safe (default), or full (uses up shared allowances)'),
  only: listFlag('ID…', 'only these requirements, groups of them such as HOOK, or checks'),
  skip: listFlag('ID…', 'not these requirements, groups of them, or checks'),
  'max-wait': textFlag('TIME', 'longest time that a check may only wait, such as 90s or 36m (default: 10s)'),
  'arrival-timeout': textFlag(
    'TIME',
    'how long to wait for a push before the run goes on (default: 10s); what comes within a minute still counts, with the remark `late`',
  ),
  'request-timeout': requestTimeoutFlag('three'),
  'fail-on': listFlag(
    'ID…',
    'notices that make the exit code 1: drift, the id of a gap, or that of a remark',
  ),
  ...demandFlags,
  compare: textFlag(
    'NAME',
    'run against this deployment of the configuration first, and hold the run to that report as --baseline does',
  ),
  cases: textFlag('N', 'most generated cases of a check of --suite full (default: 24; 0 for none)'),
  seed: textFlag(
    'N',
    'seed of the generated cases, to repeat those of an earlier run (default: random, and reported)',
  ),
  'control-url': controlUrlFlag(
    'control API of a mock: its clock is moved instead of waiting, and without --profile its profile is used',
  ),
  ...connectionFlags,
  ...receiverFlags,
  ...reportFlags,
  har: textFlag('FILE', 'write the exchanges of the run, without secrets, as an HTTP archive'),
  evidence: textFlag(
    'DIR',
    'write a folder to hand on: the report in every form, the exchanges, the profile, and how the run was made',
  ),
  journal: journalFlag,
  'leave-behind': switchFlag(
    'run although more than 12 subscriptions, sites or other things of a kind will stay, because nothing says how to delete them (not asked for with --control-url)',
    { variable: 'SITEPUB_LEAVE_BEHIND' },
  ),
  'dry-run': switchFlag(
    'send nothing; print what would be sent, how long it would take, and what would remain',
  ),
};

/** They have no meaning with --no-calls. */
export const callFlags: Flags = {
  create: switchFlag(
    'create without asking (on a terminal it asks; elsewhere nothing is created without this)',
  ),
  'max-wait': textFlag('TIME', 'longest wait for one answer, such as 62s or 370s (default: 15s)'),
  'control-url': controlUrlFlag('control API of a mock: its clock is moved'),
  journal: journalFlag,
  ...receiverFlags,
};

const sourceFlags: Flags = {
  openapi: textFlag('FILE|URL', 'an OpenAPI description of the deployment, 2.0, 3.0 or 3.1, in JSON or YAML'),
  har: {
    kind: 'list',
    value: 'FILE',
    help: 'a recording of the console in use, as browsers save it (HAR); may be repeated',
  },
};

export const discoverFlags: Flags = {
  'base-url': baseUrlFlag,
  out: textFlag('FILE', 'where the profile is written (default: standard output)', { short: 'o' }),
  force: switchFlag('let --out replace an existing file'),
  profile: {
    ...profileFlag,
    help: 'what is known already, such as operations: paths are never guessed',
  },
  ...sourceFlags,
  'no-calls': switchFlag('write what --openapi and --har say of operations, and call nothing'),
  ...callFlags,
  'request-timeout': requestTimeoutFlag('four'),
  ...connectionFlags,
};

export const cleanupFlags: Flags = {
  profile: {
    ...profileFlag,
    help: "a profile that says how resources are deleted; what it does not say is that of the run's",
  },
  'request-timeout': requestTimeoutFlag('four'),
  ...connectionFlags,
};

const credentialsHelp = `Credentials come from the environment, or from files that SITEPUB_…_FILE names:
  SITEPUB_USERNAME, SITEPUB_PASSWORD  a user of a tenant
  SITEPUB_SITE_ID                     a site of that tenant
  SITEPUB_API_KEY                     an API key of that tenant`;

const connectionHelp = `  SITEPUB_HEADER_NAME                 the value of --header NAME, with _ for - (SITEPUB_HEADER_X_GATE of X-Gate)
  SITEPUB_KEY_PASSPHRASE              the passphrase of --key
HTTPS_PROXY, HTTP_PROXY and NO_PROXY are read too, in capitals or not; they are for calls of the deployment.`;

const nameHelp =
  'NAME is that of a deployment in sitepub.config.yaml, as `sitepub docs config` says. Flags and variables go before it.';

export const testNotes = `${nameHelp}

${credentialsHelp}
  SITEPUB_SECOND_USERNAME, SITEPUB_SECOND_PASSWORD
                                      a second user of that tenant
  SITEPUB_OTHER_USERNAME, SITEPUB_OTHER_PASSWORD, SITEPUB_OTHER_SITE_ID
                                      a user and a site of another tenant
  SITEPUB_CONTROL_TOKEN               the token of the control API
${connectionHelp}

Exit codes: 0 every requirement that was verified holds, 1 one failed or a notice of --fail-on came, 2 usage, profile or credentials, 3 the deployment can't be reached, nothing could be verified, less than --require, --min-verified or --baseline demand, 4 the suite itself failed or an output could not be written, 130 the run was interrupted (what was created is cleaned up; a second interrupt ends it at once).`;

export const discoverNotes = `${nameHelp}

With --openapi or --har, what a description or a recording says of operations is read first, and each operation is called once. With --no-calls, nothing of the deployment is called, and neither credentials nor an address are needed.

${credentialsHelp}
  SITEPUB_OTHER_SITE_ID               a site of another tenant, to see how it is refused
  SITEPUB_CONTROL_TOKEN               the token of the control API
${connectionHelp}

Exit codes: 0 a profile was written, 2 usage, profile, credentials, description or recording, 3 the deployment or the description can't be reached, the deployment gives an unexpected answer, or nothing could be found out, 4 the command itself failed or --out could no longer be written, 130 it was interrupted.`;

export const cleanupNotes = `The deployment, and the profile unless another one is given, are those of the run. Credentials come from the environment as for \`sitepub test\`. How the deployment is reached is not in the journal:
${connectionHelp}

Exit codes: 0 nothing is left that can be deleted, 1 something is, 2 usage or credentials, 3 the deployment can't be reached, 130 it was interrupted.`;
