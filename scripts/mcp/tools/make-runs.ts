// Tools that run the suite, or say what a run would do.
import type { Tier } from '../../../contract-tests/core/suite-options.ts';
import { makeRun, planRun, type RunInput } from '../make-run.ts';
import type { Session } from '../session.ts';
import { defineTool, type Tool } from '../tool.ts';
import { digestOf } from './read-reports.ts';

const mostMinutes = 60;
const usualMinutes = 10;

const idsSchema = (what: string) => ({
  type: 'array',
  maxItems: 200,
  items: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9-]*$', maxLength: 80 },
  description: `${what} these requirements or checks, by their ids, or groups of requirements such as HOOK.`,
});

const choiceSchemas = { only: idsSchema('Only'), skip: idsSchema('Not') };

const minutesSchema = {
  type: 'integer',
  minimum: 1,
  maximum: mostMinutes,
  description: `When the run is ended, with clean-up and report. Default: ${usualMinutes}.`,
};

interface ChoiceInput {
  target?: RunInput['target'];
  suite?: Tier;
  only?: string[];
  skip?: string[];
}

interface ChecksInput extends ChoiceInput {
  max_minutes?: number;
  leave_behind?: boolean;
}

const targetSchema = {
  type: 'string',
  enum: ['deployment', 'mock'],
  description:
    'The deployment of --base-url, with the credentials of the environment, or the mock, with those of its seed. Default: the deployment where one was named, else the mock. No other address can be given.',
};

const suiteSchema = {
  type: 'string',
  enum: ['smoke', 'safe', 'full'],
  description: 'smoke creates nothing, safe cleans up, full also uses up shared allowances. Default: safe.',
};

const planRunTool = defineTool<ChoiceInput>({
  name: 'plan_run',
  title: 'Plan a run',
  description:
    'Says what a run of the suite would do, without calling the deployment: how many requests, how long, what it would create and leave behind, and what it could not verify.',
  isReadOnly: true,
  hasTextsOfOthers: true,
  input: { target: targetSchema, suite: suiteSchema, ...choiceSchemas },
  call: (input, call) => planRun(chosen(input, call.session), call),
});

const runChecks = defineTool<ChecksInput>({
  name: 'run_checks',
  title: 'Run checks',
  description:
    'Runs the suite and gives the report in short; read_report and explain_failure have the rest. Creates and deletes things at the target, and moves the clock where that is the mock. One run at a time; cancelling it cleans up.',
  isReadOnly: false,
  isDestructive: false,
  isOpenWorld: true,
  hasTextsOfOthers: true,
  input: {
    target: targetSchema,
    suite: suiteSchema,
    ...choiceSchemas,
    max_minutes: minutesSchema,
    leave_behind: {
      type: 'boolean',
      description: 'Runs although more than 12 things of a kind will stay at the deployment. Default: false.',
    },
  },
  call: (input, call) => runAndDigest(input, call),
});

/** Without --allow-changes: against the deployment that the user has named, and creating nothing. */
const runSmokeChecks = defineTool<Pick<ChecksInput, 'only' | 'skip' | 'max_minutes'>>({
  ...runChecks,
  description:
    'Runs the smoke suite, which creates nothing, against the deployment of --base-url, and gives the report in short; read_report and explain_failure have the rest. One run at a time. It logs in, which counts towards the limit of logins.',
  isReadOnly: true,
  input: { ...choiceSchemas, max_minutes: minutesSchema },
  call: (input, call) => runAndDigest({ ...input, target: 'deployment', suite: 'smoke' }, call),
});

async function runAndDigest(input: ChecksInput, call: Parameters<Tool['call']>[1]): Promise<object> {
  const { max_minutes: minutes = usualMinutes, leave_behind: mayLeaveBehind = false } = input;
  const limits = { longestMs: minutes * 60_000, mayLeaveBehind };
  return digestOf(await makeRun(chosen(input, call.session), call, limits));
}

function chosen({ target, suite = 'safe', only = [], skip = [] }: ChoiceInput, { given }: Session): RunInput {
  const usual = given.text('base-url') === undefined ? 'mock' : 'deployment';
  return { target: target ?? usual, suite, only, skip };
}

/** The tools that a session may offer. */
export function runTools({ allowsChanges, given }: Session): readonly Tool[] {
  if (allowsChanges) return [planRunTool, runChecks];
  return given.text('base-url') === undefined ? [planRunTool] : [planRunTool, runSmokeChecks];
}
