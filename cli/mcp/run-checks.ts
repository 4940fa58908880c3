import type { SuiteOptions } from '../../contract-tests/core/suite-options.ts';
import { makeReport } from '../commands/make-report.ts';
import { readTestOptions } from '../options/test-options.ts';
import { UsageError } from '../options/usage-error.ts';
import { digestOf } from './run-report.ts';
import { type Call, oneOf, type Session, type Tool, texts, yesOrNo } from './tool.ts';

const longestRunMs = 3_600_000;

interface RunInput {
  suite?: string;
  only?: string[];
  skip?: string[];
  leave_behind?: boolean;
}

const choiceMembers = {
  only: texts('Run only these requirements or checks: ids, or groups such as HOOK.'),
  skip: texts('Skip these requirements or checks: ids, or groups such as HOOK.'),
};

const suite = oneOf(
  ['smoke', 'safe', 'full'],
  'smoke creates nothing, safe cleans up, full also uses up shared limits. Default: safe.',
);

export const planRun: Tool = {
  name: 'plan_run',
  description:
    'Plans a run of the suite without calling the deployment: number of requests, duration, what the run would create and leave behind, and what it could not verify.',
  takes: { suite, ...choiceMembers },
  call: async (input: RunInput, { session }) => {
    const options = await readOptions(input, session);
    const { selectChecks } = await import('../../contract-tests/run/select-checks.ts');
    const { dryRunOf } = await import('../../contract-tests/run/dry-run.ts');
    return dryRunOf(options, selectChecks(options));
  },
};

const digest =
  'Returns a summary of the report; use list and explain for details. Only one run at a time. A cancelled run cleans up.';

export const runSmokeChecks: Tool = {
  name: 'run_checks',
  description: `Runs the smoke suite, which creates nothing, against the deployment of --base-url. Its logins count towards the login limit. ${digest}`,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  takes: choiceMembers,
  call: (input: RunInput, call) => makeRun({ ...input, suite: 'smoke' }, call),
};

export const runChecks: Tool = {
  name: 'run_checks',
  description: `Runs the suite against the deployment of --base-url. It creates and deletes resources there, and advances the clock of a mock. ${digest}`,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  takes: {
    ...{ suite, ...choiceMembers },
    leave_behind: yesOrNo('Run even if more than 12 resources of one kind would remain in the deployment.'),
  },
  call: (input: RunInput, call) => makeRun(input, call),
};

/** Stores the report and returns its digest. A run that takes too long or is cancelled cleans up. Throws UsageError or LeaveBehindNeeded. */
async function makeRun(input: RunInput, { session, signal, reportProgress }: Call): Promise<object> {
  if (session.run !== undefined)
    throw new UsageError(
      'a run is in progress; wait until it ends, or cancel it and try again after a few seconds',
    );
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  session.run = ended;
  try {
    const options = await readOptions(input, session);
    const progress = { done: 0, total: 0 };
    const { report } = await makeReport(options, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(longestRunMs)]),
      onSelected: (selected) => {
        progress.total = selected;
      },
      onResult: ({ result }) => {
        progress.done += 1;
        reportProgress({ ...progress, message: result.id });
      },
    });
    session.lastReport = report;
    return digestOf(report);
  } finally {
    session.run = undefined;
    end();
  }
}

/** Clients cannot name another deployment. */
async function readOptions(input: RunInput, { given, useMock }: Session): Promise<SuiteOptions> {
  const baseUrl = given.text('base-url');
  if (baseUrl === undefined)
    throw new UsageError(
      'this server was started without --base-url, so there is no deployment to test; restart it with --base-url',
    );
  const controlUrl = given.text('control-url');
  // The clock of another mock is not the clock of the deployment.
  const isMock = controlUrl !== undefined && new URL(controlUrl).origin === new URL(baseUrl).origin;
  const texts: Readonly<Record<string, string | undefined>> = {
    suite: input.suite ?? 'safe',
    'control-url': isMock ? await useMock(async ({ url }) => url) : undefined,
  };
  const lists: Readonly<Record<string, string[]>> = { only: input.only ?? [], skip: input.skip ?? [] };
  const options = await readTestOptions({
    ...given,
    text: (name) => (name in texts ? texts[name] : given.text(name)),
    list: (name) => lists[name] ?? given.list(name),
  });
  return { ...options, mayLeaveBehind: input.leave_behind ?? false };
}
