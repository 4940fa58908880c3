// The flags of the commands that call a deployment or read the files of a run.
import { flags } from './flags.ts';
import { caFlag, controlFlags } from './mock-flags.ts';

const baseUrlFlag = flags({
  '--base-url <URL>': 'base URL of the deployment; it ends in /api/v1 [SITEPUB_BASE_URL]',
});

export const connectionFlags = {
  ...caFlag,
  ...flags({
    '--cert <FILE>': 'PEM file with a client certificate, if the deployment asks for one',
    '--key <FILE>': 'PEM file with the private key of --cert (default: the file of --cert)',
    '--header <NAME>':
      'name of a header to send with every call, for example for a gateway; may be repeated; the value comes from SITEPUB_HEADER_NAME, with _ for -',
  }),
};

const receiverFlags = flags({
  '--receiver-listen <HOST:PORT>':
    'address on which the webhook receiver of the suite listens (default: 127.0.0.1, any free port)',
  '--receiver-url <URL>': 'URL at which the deployment reaches that receiver',
});

function requestTimeoutFlag(lostAnswers: 'three' | 'four') {
  const meaning =
    'longest time for one answer (default: 30s), doubled for publish, import and AI calls; the command gives up after';
  return flags({
    '--request-timeout <TIME>': `${meaning} ${lostAnswers} lost answers in a row [SITEPUB_REQUEST_TIMEOUT]`,
  });
}

const deploymentProfileFlag = flags({
  '--profile <P>': 'profile of the deployment: a path, or the name of a packaged one [SITEPUB_PROFILE]',
});

export const reportFlags = flags({
  '--expected-failures <F>':
    'YAML file that maps ids of requirements or checks to the reasons why they may fail',
  '--report <FORMAT=PATH…>': 'write reports: json=out.json, junit=…, html=…, markdown=…',
});

const journalFlag = flags({
  '--journal <F>':
    'file in which the run notes each resource before it creates it (default: a new file in the temporary folder)',
});

const maxWaitFlag = flags({
  '--max-wait <TIME>':
    'longest wait that a check may need, such as 90s or 36m (default: 10s); checks that need more are not verified',
});

export const testFlags = {
  ...baseUrlFlag,
  ...deploymentProfileFlag,
  ...flags({
    '--suite <TIER>': 'smoke (creates nothing), safe (default), or full (uses up shared limits)',
    '--only <ID…>': 'run only these: ids of requirements or checks, or groups such as HOOK',
    '--skip <ID…>': 'leave these out: ids of requirements or checks, or groups such as HOOK',
  }),
  ...maxWaitFlag,
  ...flags({
    '--arrival-timeout <TIME>':
      'how long to wait for a push before the run continues (default: 10s); a push that arrives later, within a minute, still counts and gets the remark `late`',
  }),
  ...requestTimeoutFlag('three'),
  ...flags({
    '--fail-on <ID…>':
      'exit with 1 if one of these is reported: drift, the id of a gap, or the id of a remark',
    '--require <ID…>':
      'exit with 3 unless these requirements are verified in full: ids, groups such as HOOK, or all',
    '--min-verified <N>': 'exit with 3 unless at least N requirements pass',
    '--baseline <F>':
      'JSON report of an earlier run: exit with 1 if something passed there and fails now, with 3 if something was verified there and is not now',
    '--compare <NAME>':
      'first test this deployment of the configuration, then use its report as the --baseline',
    '--cases <N>': 'maximum number of generated cases per check with --suite full (default: 24; 0 for none)',
    '--seed <N>':
      'seed of the generated cases; the same seed repeats the same cases (default: random, and reported)',
    '--control-url <URL>':
      'control API of a mock: the suite moves its clock instead of waiting, and uses its profile unless --profile is given [SITEPUB_CONTROL_URL]',
  }),
  ...connectionFlags,
  ...receiverFlags,
  ...reportFlags,
  ...flags({
    '--har <FILE>': 'write the HTTP exchanges of the run, without secrets, as a HAR file',
    '--evidence <DIR>':
      'write a new folder with the report in every format, the exchanges, the profile and the command line',
  }),
  ...journalFlag,
  ...flags({
    '--leave-behind':
      'run even if more than 12 resources of one kind will remain because the profile does not say how to delete them (not needed with --control-url) [SITEPUB_LEAVE_BEHIND]',
    '--dry-run': 'send nothing; print the planned requests, the expected duration, and what would remain',
  }),
};

/** They contradict --no-calls. */
export const callFlags = {
  ...flags({
    '--create':
      'create resources without asking; without this flag, discover asks on a terminal, and creates nothing elsewhere',
    '--max-wait <TIME>': 'longest wait for finding out one gap, such as 62s or 370s (default: 15s)',
    '--control-url <URL>':
      'control API of a mock: discover moves its clock instead of waiting [SITEPUB_CONTROL_URL]',
  }),
  ...journalFlag,
  ...receiverFlags,
};

export const discoverFlags = {
  ...baseUrlFlag,
  ...flags({
    '-o, --out <FILE>': 'write the profile to this file (default: standard output)',
    '--force': 'let --out replace an existing file',
    '--profile <P>':
      'profile with the values that are known already, such as operations; discover never guesses paths [SITEPUB_PROFILE]',
    '--openapi <FILE|URL>': 'OpenAPI description of the deployment: 2.0, 3.0 or 3.1, as JSON or YAML',
    '--har <FILE…>': 'HAR recording of the console in use, as browsers save it; may be repeated',
    '--no-calls': 'call nothing; only write what --openapi and --har say about operations',
  }),
  ...callFlags,
  ...requestTimeoutFlag('four'),
  ...connectionFlags,
};

export const cleanupFlags = {
  ...flags({
    '--profile <P>':
      'profile that says how to delete resources; for all other values the profile of the run counts [SITEPUB_PROFILE]',
  }),
  ...requestTimeoutFlag('four'),
  ...connectionFlags,
};

export const mcpFlags = {
  ...controlFlags,
  ...flags({
    '--base-url <URL>':
      'base URL of the deployment that clients may test; they cannot name another one [SITEPUB_BASE_URL]',
  }),
  ...deploymentProfileFlag,
  ...maxWaitFlag,
  ...flags({
    '--allow-changes':
      'also offer tools that change something: test with checks that create resources, steer the mock (default: read-only)',
  }),
  ...connectionFlags,
  ...receiverFlags,
};

const credentialsHelp = `Credentials come from environment variables. SITEPUB_…_FILE may name a file with a username or a secret instead:
  SITEPUB_USERNAME, SITEPUB_PASSWORD  a user of a tenant
  SITEPUB_SITE_ID                     a site of that tenant
  SITEPUB_API_KEY                     an API key of that tenant`;

const connectionHelp = `  SITEPUB_HEADER_NAME                 the value of --header NAME, with _ for - (SITEPUB_HEADER_X_GATE for X-Gate)
  SITEPUB_KEY_PASSPHRASE              the passphrase of --key
HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in upper or lower case, apply to calls to the deployment.`;

const nameHelp =
  'NAME is a deployment in sitepub.config.yaml (see `sitepub docs config`). Flags and variables override the file.';

export const testNotes = `${nameHelp}

${credentialsHelp}
  SITEPUB_SECOND_USERNAME, SITEPUB_SECOND_PASSWORD
                                      a second user of that tenant
  SITEPUB_OTHER_USERNAME, SITEPUB_OTHER_PASSWORD, SITEPUB_OTHER_SITE_ID
                                      a user and a site of another tenant
  SITEPUB_CONTROL_TOKEN               the token of the control API
${connectionHelp}`;

export const testExitCodes = {
  0: 'no verified requirement failed',
  1: 'a requirement failed or regressed, an expected failure is stale or expired, or --fail-on applies',
  2: 'wrong usage, profile or credentials',
  3: 'the deployment cannot be reached, nothing was verified, or less than --require, --min-verified or --baseline demand',
  4: 'the suite itself failed, or a file could not be written',
  130: 'interrupted: the run cleans up first; a second interrupt ends it at once',
};

export const discoverNotes = `${nameHelp}

With --openapi or --har, discover first reads what the description or the recording says about operations, then calls each operation once. With --no-calls it calls nothing, and needs neither credentials nor a base URL.

${credentialsHelp}
  SITEPUB_OTHER_SITE_ID               a site of another tenant, to see how the deployment refuses it
  SITEPUB_CONTROL_TOKEN               the token of the control API
${connectionHelp}`;

export const discoverExitCodes = {
  0: 'a profile was written',
  2: 'wrong usage, profile, credentials, description or recording',
  3: 'the deployment or the description cannot be reached, the deployment gives an unexpected answer, or nothing was found out',
  4: 'sitepub itself failed, or --out could not be written at the end',
  130: 'interrupted',
};

export const cleanupNotes = `The journal says which deployment and which profile the run used. Without a journal, cleanup uses the one of the latest run that has ended. Credentials come from the environment, as for \`sitepub test\`. The journal does not say how to reach the deployment:
${connectionHelp}`;

export const cleanupExitCodes = {
  0: 'nothing remains that can be deleted',
  1: 'something that can be deleted remains',
  2: 'wrong usage or credentials',
  3: 'the deployment cannot be reached',
  130: 'interrupted',
};
