// The flags of the commands that call a deployment or read the files of a run.
import { flags } from './flags.ts';
import { caFlag, controlFlags } from './mock-flags.ts';

const baseUrlFlag = flags({
  '--base-url <URL>': 'base URL of the deployment, ending in /api/v1 [SITEPUB_BASE_URL]',
});

export const connectionFlags = {
  ...caFlag,
  ...flags({
    '--cert <FILE>': 'PEM file with a client certificate, if the deployment requires one',
    '--key <FILE>': 'PEM file with the private key for --cert (default: the same file as --cert)',
    '--header <NAME>':
      'header to send with every call, for example for a gateway; may be repeated; set its value in SITEPUB_HEADER_NAME, with _ instead of -',
  }),
};

const receiverFlags = flags({
  '--receiver-listen <HOST:PORT>':
    "address for the suite's webhook receiver to listen on (default: 127.0.0.1, any free port)",
  '--receiver-url <URL>': 'URL at which the deployment can reach that receiver',
});

function requestTimeoutFlag(lostAnswers: 'three' | 'four') {
  const meaning =
    'timeout of one call (default: 30s; doubled for publish, import and AI calls); the command gives up after';
  return flags({
    '--request-timeout <TIME>': `${meaning} ${lostAnswers} calls in a row without an answer [SITEPUB_REQUEST_TIMEOUT]`,
  });
}

const deploymentProfileFlag = flags({
  '--profile <P>': 'profile of the deployment: a path, or the name of a packaged profile [SITEPUB_PROFILE]',
});

export const formatNames = 'json, junit, html or markdown';

export const reportFlags = flags({
  '--expected-failures <F>': 'YAML file that maps requirement or check ids to the reason why each may fail',
  '--report <FORMAT=PATH…>': `write reports, for example html=out.html; formats: ${formatNames}`,
});

const journalFlag = flags({
  '--journal <F>':
    'file in which the run records each resource before creating it (default: a new temporary file)',
});

const maxWaitFlag = flags({
  '--max-wait <TIME>':
    'longest time that a check may wait, such as 90s or 36m (default: 10s); checks that need longer are not verified',
});

export const testFlags = {
  ...baseUrlFlag,
  ...deploymentProfileFlag,
  ...flags({
    '--suite <TIER>': 'smoke (creates nothing), safe (default), or full (uses up shared limits)',
    '--only <ID…>': 'run only these requirements or checks: ids, or groups such as HOOK',
    '--skip <ID…>': 'skip these requirements or checks: ids, or groups such as HOOK',
  }),
  ...maxWaitFlag,
  ...flags({
    '--arrival-timeout <TIME>':
      'how long to wait for a push before the run continues (default: 10s); a push that arrives within the next minute still counts, with the remark `late`',
  }),
  ...requestTimeoutFlag('three'),
  ...flags({
    '--fail-on <ID…>': 'exit with 1 if the report contains one of these: drift, a gap id or a remark id',
    '--require <ID…>':
      'exit with 3 unless these requirements are fully verified: ids, groups such as HOOK, or all',
    '--min-verified <N>': 'exit with 3 unless at least N requirements pass',
    '--baseline <F>':
      'JSON report of an earlier run: exit with 1 if a requirement that passed then fails now, or with 3 if one is no longer verified',
    '--compare <NAME>':
      'first test this deployment from the configuration file, and use its report as the --baseline',
    '--cases <N>': 'maximum number of generated cases per check with --suite full (default: 24; 0 for none)',
    '--seed <N>':
      'seed for the generated cases; the same seed generates the same cases (default: a random seed, shown in the report)',
    '--control-url <URL>':
      'control API of a mock: the suite advances the clock of the mock instead of waiting, and uses its profile unless you pass --profile [SITEPUB_CONTROL_URL]',
  }),
  ...connectionFlags,
  ...receiverFlags,
  ...reportFlags,
  ...flags({
    '--har <FILE>': 'write the HTTP exchanges of the run to a HAR file, without secrets',
    '--evidence <DIR>':
      'write the report in every format, the HTTP exchanges, the profile and the command line to a new folder',
  }),
  ...journalFlag,
  ...flags({
    '--leave-behind':
      'run even if the profile does not say how to delete resources, and more than 12 of one kind would remain (not needed with --control-url) [SITEPUB_LEAVE_BEHIND]',
    '--dry-run':
      'send nothing; print the planned requests, the expected duration and the resources that would remain',
  }),
};

/** They contradict --no-calls. */
export const callFlags = {
  ...flags({
    '--create':
      'create resources without asking (default: ask if there is a terminal, otherwise create nothing)',
    '--max-wait <TIME>': 'longest wait to determine one gap, such as 62s or 370s (default: 15s)',
    '--control-url <URL>':
      'control API of a mock: discover advances the clock of the mock instead of waiting [SITEPUB_CONTROL_URL]',
  }),
  ...journalFlag,
  ...receiverFlags,
};

export const discoverFlags = {
  ...baseUrlFlag,
  ...flags({
    '-o, --out <FILE>': 'write the profile to this file (default: standard output)',
    '--force': 'allow --out to overwrite an existing file',
    '--profile <P>':
      'profile with the values that you already know, such as paths of operations, which discover never guesses [SITEPUB_PROFILE]',
    '--openapi <FILE|URL>': 'OpenAPI 2.0, 3.0 or 3.1 description of the deployment, as JSON or YAML',
    '--har <FILE…>':
      'HAR file of a session in the console of the deployment, saved from a browser; may be repeated',
    '--no-calls': 'do not call the deployment; use only the operations found in --openapi and --har',
  }),
  ...callFlags,
  ...requestTimeoutFlag('four'),
  ...connectionFlags,
};

export const cleanupFlags = {
  ...flags({
    '--profile <P>':
      'profile that says how to delete resources; all other values come from the profile of the run [SITEPUB_PROFILE]',
  }),
  ...requestTimeoutFlag('four'),
  ...connectionFlags,
};

export const mcpFlags = {
  ...controlFlags,
  ...flags({
    '--base-url <URL>': 'base URL of the only deployment that clients may test [SITEPUB_BASE_URL]',
  }),
  ...deploymentProfileFlag,
  ...maxWaitFlag,
  ...flags({
    '--allow-changes':
      'also offer tools that make changes: run checks that create resources, and control the mock (default: read-only)',
  }),
  ...connectionFlags,
  ...receiverFlags,
};

const credentialsHelp = `Set credentials in environment variables. For a username or a secret, you can set SITEPUB_…_FILE to the path of a file instead:
  SITEPUB_USERNAME, SITEPUB_PASSWORD  a user of a tenant
  SITEPUB_SITE_ID                     a site of that tenant
  SITEPUB_API_KEY                     an API key of that tenant`;

const connectionHelp = `  SITEPUB_HEADER_NAME                 the value of --header NAME, with _ instead of - (for example SITEPUB_HEADER_X_GATE for X-Gate)
  SITEPUB_KEY_PASSPHRASE              the passphrase for --key
Calls to the deployment use HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in upper or lower case.`;

const nameHelp =
  'NAME is a deployment in sitepub.config.yaml (see `sitepub docs config`). Flags and environment variables override the file.';

export const testNotes = `${nameHelp} \`sitepub docs verdicts\` explains the results.

${credentialsHelp}
  SITEPUB_SECOND_USERNAME, SITEPUB_SECOND_PASSWORD
                                      a second user of that tenant
  SITEPUB_OTHER_USERNAME, SITEPUB_OTHER_PASSWORD, SITEPUB_OTHER_SITE_ID
                                      a user and a site of another tenant
  SITEPUB_CONTROL_TOKEN               the token for the control API
${connectionHelp}`;

export const testExitCodes = {
  0: 'no verified requirement failed',
  1: 'a requirement failed or regressed, an expected failure is stale or expired, or --fail-on applies',
  2: 'usage error, invalid profile or wrong credentials',
  3: 'the deployment cannot be reached, nothing was verified, or --require, --min-verified or --baseline is not met',
  4: 'internal error, or a file could not be written',
  130: 'interrupted after cleaning up; a second interrupt skips the clean-up',
};

export const discoverNotes = `A gap is a question that the interface document leaves open, such as the path of an operation. A profile is a file that fills the gaps for one deployment.

${nameHelp}

With --openapi or --har, discover first reads the operations from these files, then calls each one once. With --no-calls, it does not call the deployment, and needs neither credentials nor a base URL.

${credentialsHelp}
  SITEPUB_OTHER_SITE_ID               a site of another tenant, to see how the deployment denies access to it
  SITEPUB_CONTROL_TOKEN               the token for the control API
${connectionHelp}`;

export const discoverExitCodes = {
  0: 'a profile was written',
  2: 'usage error, wrong credentials, or an invalid profile, OpenAPI description or HAR file',
  3: 'the deployment or the OpenAPI description cannot be reached, the deployment gave an unexpected answer, or discover found nothing',
  4: 'internal error, or --out could not be written',
  130: 'interrupted',
};

export const cleanupNotes = `The journal records the deployment and the profile of the run. Without an argument, cleanup uses the journal of the latest finished run. Credentials come from environment variables, as for \`sitepub test\`. The journal does not contain headers or passphrases, so set these again:
${connectionHelp}`;

export const cleanupExitCodes = {
  0: 'all resources that can be deleted are deleted',
  1: 'some resources that can be deleted remain',
  2: 'usage error or wrong credentials',
  3: 'the deployment cannot be reached',
  130: 'interrupted',
};
