// Reads the command line with commander, runs the command, and turns errors into a sentence and an exit code.
import { type Command, CommanderError } from 'commander';
import { visible } from '../contract-tests/core/visible-text.ts';
import { version } from '../openapi/version.ts';
import type { CommandRow } from './commands/command-row.ts';
import { mockCommands } from './commands/mock-commands.ts';
import {
  contractCommands,
  deploymentCommands,
  otherCommands,
  webhookCommands,
} from './commands/other-commands.ts';
import { explainUnknown } from './options/environment.ts';
import { createCommand, givenTo, pathOf, unknownCommand } from './options/flags.ts';
import type { UsageError } from './options/usage-error.ts';

const groups: readonly [heading: string, rows: readonly CommandRow[]][] = [
  ['Mock:', mockCommands],
  ['Webhooks:', webhookCommands],
  ['Deployments:', deploymentCommands],
  ['Contract:', contractCommands],
  ['Other:', otherCommands],
];

const summaries: Readonly<Record<string, string>> = {
  mock: 'run a local mock of the service, and steer it',
  'mock store': 'look after what keeps the worlds of mocks',
  report: 'render a report in another form, or compare two',
};

/** The command that runs, in the words of the user: "mock trigger". */
let running = '';

const defaults = new WeakSet<Command>();

/** Whether a command runs where the words before its last one are given alone. */
export function isDefault(command: Command): boolean {
  return defaults.has(command);
}

/** All commands. Each calls `run` with its row and what it was given. */
export function createProgram(run: (row: CommandRow, command: Command) => Promise<void>): Command {
  const program = createCommand('sitepub', {})
    .description('Mock, contract suite and webhook tools of the site publishing service')
    .usage('COMMAND [flags]')
    .version(version, '-V, --version', 'print the version')
    .option(
      '--config <F>',
      'deployments by name, and defaults of the mock (default: sitepub.config.yaml) [SITEPUB_CONFIG]',
    )
    .option('-v, --verbose', 'show where an unexpected error comes from')
    .option('--no-color', 'print without colours')
    .helpCommand(false)
    .addHelpText('after', '\n`sitepub help COMMAND` says more. The manual: `sitepub docs`.');
  for (const [heading, rows] of groups)
    for (const row of rows) {
      const [words = '', ...taken] = row.usage.split(/ (?=[<[])/);
      const parent = parentOf(program, words, heading);
      const name = words.split(' ').at(-1) ?? '';
      const command =
        parent.commands.find((one) => one.name() === name) ?? createCommand(name, row.flags ?? {});
      command.summary(row.summary).description(`${row.summary[0]?.toUpperCase()}${row.summary.slice(1)}.`);
      for (const argument of taken) command.argument(argument);
      if (row.isDefault) {
        defaults.add(command);
        parent.addHelpText(
          'after',
          `\nWithout a command, ${row.usage.split(' ').at(-1)} runs: \`sitepub help ${row.usage}\` shows its flags.`,
        );
      }
      if (row.notes) command.addHelpText('after', `\n${row.notes}`);
      if (parent === program) command.helpGroup(heading);
      command.action(() => run(row, command));
      parent.addCommand(command, { isDefault: row.isDefault ?? false });
    }
  const help = createCommand('help', {}).summary('show the help of a command').argument('[command...]');
  help.helpGroup('Other:').action((words: readonly string[]) => printHelp(program, words));
  program.addCommand(help);
  return program;
}

function printHelp(program: Command, words: readonly string[]): void {
  let command = program;
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word);
    if (!next) throw unknownCommand(command, word);
    command = next;
  }
  command.outputHelp();
}

function parentOf(program: Command, words: string, heading: string): Command {
  let [parent, path] = [program, ''];
  for (const name of words.split(' ').slice(0, -1)) {
    path = `${path} ${name}`.trim();
    let next = parent.commands.find((one) => one.name() === name);
    if (!next) {
      next = createCommand(name, {}).summary(summaries[path] ?? '');
      if (parent === program) next.helpGroup(heading);
      parent.addCommand(next);
    }
    parent = next;
  }
  return parent;
}

/** Runs what `sitepub` is given. Returns the exit code. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  let code = 0;
  const program = createProgram(async (row, command) => {
    running = pathOf(command);
    const given = givenTo(command, row.flags ?? {});
    const unknown = explainUnknown(process.env);
    if (unknown !== undefined) console.error(`sitepub: ${visible(unknown)}`);
    const { verbose, color } = program.opts<{ verbose?: boolean; color?: boolean }>();
    if (color === false) process.env.NO_COLOR = '1';
    isVerbose = verbose === true;
    code = await row.run(given);
  });
  if (args.length === 0) {
    program.outputHelp();
    return 2;
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    return explain(error);
  }
}

let isVerbose = false;

/** Errors with a message for the user, by the names of their classes; any other is a defect of sitepub. */
const usageErrors = ['UsageError', 'LeaveNeeded', 'ProfileError', 'MockError', 'WorldFileError'];
const unreachableErrors = ['StoreUnreachable', 'SourceUnreachable'];

function explain(error: unknown): number {
  // Help or the version was printed.
  if (error instanceof CommanderError) return error.exitCode;
  if (isVerbose) console.error(error);
  if (error instanceof Error && usageErrors.includes(error.constructor.name)) {
    const isUsage = ['UsageError', 'LeaveNeeded'].includes(error.constructor.name);
    const { command = running } = error as UsageError;
    return printError(`${error.message}${isUsage ? ` (\`${`sitepub ${command}`.trim()} --help\`)` : ''}`, 2);
  }
  if (error instanceof Error && unreachableErrors.includes(error.constructor.name))
    return printError(error.message, 3);
  if (error instanceof Error && error.constructor.name === 'OutputError') return printError(error.message, 4);
  const message = error instanceof Error ? error.message : String(error);
  return printError(`${running} itself failed: ${message} (--verbose shows where)`, 4);
}

function printError(message: string, code: number): number {
  for (const line of message.split('\n')) console.error(`sitepub: ${visible(line)}`);
  return code;
}
