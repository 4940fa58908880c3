// The flags of the commands that call a deployment or read what a run has written.
import { flags } from './flags.ts';
import { caFlag, controlFlags } from './mock-flags.ts';

const baseUrlFlag = flags({
  '--base-url <URL>': 'the address of the deployment, which ends in /api/v1 [SITEPUB_BASE_URL]',
});

/** How a deployment is reached. */
export const connectionFlags = {
  ...caFlag,
  ...flags({
    '--cert <FILE>': 'client certificate (PEM), where the deployment asks for one',
    '--key <FILE>': 'its private key (PEM), unless it is in the same file',
    '--header <NAME>':
      'a header that a gateway demands, sent with every call; may be repeated; its value is SITEPUB_HEADER_NAME, with _ for -',
  }),
};

/** Where the suite receives webhooks. */
const receiverFlags = flags({
  '--receiver-listen <HOST:PORT>': 'where the webhook receiver listens (default: 127.0.0.1, any free port)',
  '--receiver-url <URL>': 'address under which the deployment reaches that receiver',
});

/** `most`: how many lost answers in a row end a run. */
function requestTimeoutFlag(most: 'three' | 'four') {
  const meaning =
    'how long a whole answer may take (default: 30s), and twice that for publish, import and AI';
  const end = `${most} lost answers in a row end it`;
  return flags({ '--request-timeout <TIME>': `${meaning}; ${end} [SITEPUB_REQUEST_TIMEOUT]` });
}

export const reportFlags = flags({
  '--expected-failures <F>':
    'known failures that are accepted: a YAML map of requirement or check id to reason',
  '--report <FORMAT=PATH…>': 'write reports: json=out.json, junit=…, html=…, markdown=…',
});

const journalFlag = flags({
  '--journal <F>':
    'file in which resources are listed before they are created (default: one in the temporary folder)',
});

export const testFlags = {
  ...baseUrlFlag,
  ...flags({
    '--profile <P>':
      'how the deployment fills the gaps: path of a profile, or name of a packaged one [SITEPUB_PROFILE]',
    '--suite <TIER>': 'smoke (creates nothing), safe (default), or full (uses up shared allowances)',
    '--only <ID…>': 'only these requirements, groups of them such as HOOK, or checks',
    '--skip <ID…>': 'not these requirements, groups of them, or checks',
    '--max-wait <TIME>': 'longest time that a check may only wait, such as 90s or 36m (default: 10s)',
    '--arrival-timeout <TIME>':
      'how long to wait for a push before the run goes on (default: 10s); what comes within a minute still counts, with the remark `late`',
  }),
  ...requestTimeoutFlag('three'),
  ...flags({
    '--fail-on <ID…>': 'notices that make the exit code 1: drift, the id of a gap, or that of a remark',
    '--require <ID…>':
      'requirements that must be verified, in full, for exit code 0: ids, groups such as HOOK, or all',
    '--min-verified <N>': 'how many requirements must pass for exit code 0',
    '--baseline <F>':
      'JSON report of an earlier run: exit code 1 when something passed there and fails here, 3 when it was verified there and is not here',
    '--compare <NAME>':
      'run against this deployment of the configuration first, and hold the run to that report as --baseline does',
    '--cases <N>': 'most generated cases of a check of --suite full (default: 24; 0 for none)',
    '--seed <N>':
      'seed of the generated cases, to repeat those of an earlier run (default: random, and reported)',
    '--control-url <URL>':
      'control API of a mock: its clock is moved instead of waiting, and without --profile its profile is used [SITEPUB_CONTROL_URL]',
  }),
  ...connectionFlags,
  ...receiverFlags,
  ...reportFlags,
  ...flags({
    '--har <FILE>': 'write the exchanges of the run, without secrets, as an HTTP archive',
    '--evidence <DIR>':
      'write a folder to hand on: the report in every form, the exchanges, the profile, and how the run was made',
  }),
  ...journalFlag,
  ...flags({
    '--leave-behind':
      'run although more than 12 subscriptions, sites or other things of a kind will stay, because nothing says how to delete them (not asked for with --control-url) [SITEPUB_LEAVE_BEHIND]',
    '--dry-run': 'send nothing; print what would be sent, how long it would take, and what would remain',
  }),
};

/** They have no meaning with --no-calls. */
export const callFlags = {
  ...flags({
    '--create': 'create without asking (on a terminal it asks; elsewhere nothing is created without this)',
    '--max-wait <TIME>': 'longest wait for one answer, such as 62s or 370s (default: 15s)',
    '--control-url <URL>': 'control API of a mock: its clock is moved [SITEPUB_CONTROL_URL]',
  }),
  ...journalFlag,
  ...receiverFlags,
};

export const discoverFlags = {
  ...baseUrlFlag,
  ...flags({
    '-o, --out <FILE>': 'where the profile is written (default: standard output)',
    '--force': 'let --out replace an existing file',
    '--profile <P>': 'what is known already, such as operations: paths are never guessed [SITEPUB_PROFILE]',
    '--openapi <FILE|URL>': 'an OpenAPI description of the deployment, 2.0, 3.0 or 3.1, in JSON or YAML',
    '--har <FILE…>': 'a recording of the console in use, as browsers save it (HAR); may be repeated',
    '--no-calls': 'write what --openapi and --har say of operations, and call nothing',
  }),
  ...callFlags,
  ...requestTimeoutFlag('four'),
  ...connectionFlags,
};

export const cleanupFlags = {
  ...flags({
    '--profile <P>':
      "a profile that says how resources are deleted; what it does not say is that of the run's [SITEPUB_PROFILE]",
  }),
  ...requestTimeoutFlag('four'),
  ...connectionFlags,
};

export const mcpFlags = {
  ...controlFlags,
  ...flags({
    '--base-url <URL>':
      'the deployment that checks may be run against; no other can be named later [SITEPUB_BASE_URL]',
    '--profile <P>':
      'how that deployment fills the gaps: path of a profile, or name of a packaged one [SITEPUB_PROFILE]',
    '--max-wait <TIME>': 'longest time that a check may only wait, such as 90s or 36m (default: 10s)',
    '--allow-changes':
      'offer what changes something, too: run checks that create things, steer the mock (default: read-only)',
  }),
  ...connectionFlags,
  ...receiverFlags,
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

Exit codes: 0 every requirement that was verified holds, 1 one failed or a notice of --fail-on came, 2 usage, profile or credentials, 3 the deployment can't be reached, nothing could be verified, less than --require, --min-verified or --baseline demand, 4 error in the suite or an output could not be written, 130 the run was interrupted (what was created is cleaned up; a second interrupt ends it at once).`;

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
