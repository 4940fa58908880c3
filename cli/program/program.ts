// Reads the command line with commander, runs the command, and turns errors into a message and an exit code.
import { type Command, CommanderError } from 'commander';
import { visible } from '../../contract-tests/core/visible-text.ts';
import { version } from '../../openapi/version.ts';
import { explainUnknown } from '../options/environment.ts';
import { createCommand, defaultCommands, flags, givenTo, pathOf, unknownCommand } from '../options/flags.ts';
import { exitCodeOfError, type UsageError } from '../options/usage-error.ts';
import { withNpx } from '../options/with-npx.ts';
import type { CommandRow } from './command-row.ts';
import { mockCommands } from './mock-commands.ts';
import { contractCommands, deploymentCommands, otherCommands, webhookCommands } from './other-commands.ts';

export const groups: readonly [heading: string, rows: readonly CommandRow[]][] = [
  ['Mock:', mockCommands],
  ['Webhooks:', webhookCommands],
  ['Deployments:', deploymentCommands],
  ['Contract:', contractCommands],
  ['Other:', otherCommands],
];

const summaries: Readonly<Record<string, string>> = {
  mock: 'run a local mock of the service, or control a running one',
  'mock store': 'manage the store in which mocks persist their worlds',
  report: 'print a report in another format, or compare two reports',
};

const globalFlags = flags({
  '--config <F>':
    'configuration file with named deployments and mock defaults (default: sitepub.config.yaml) [SITEPUB_CONFIG]',
  '-v, --verbose': 'print stack traces',
  '--no-color': 'disable colours',
});

/** Calls `run` for the command that is given. */
export function createProgram(run: (row: CommandRow, command: Command) => Promise<void>): Command {
  const program = createCommand('sitepub', globalFlags)
    .description('Mock, contract test suite and webhook tools for the site publishing service')
    .usage('COMMAND [flags]')
    .version(version, '-V, --version', 'print the version')
    .helpCommand(false)
    .addHelpText(
      'after',
      '\n`sitepub help COMMAND` shows flags, variables and exit codes. `sitepub docs` prints the manual.',
    );
  for (const [heading, rows] of groups)
    for (const row of rows) {
      const [words = '', ...taken] = row.usage.split(/ (?=[<[])/);
      const parent = parentOf(program, words, heading);
      const name = words.split(' ').at(-1) ?? '';
      const command = createCommand(name, row.flags ?? {});
      command.summary(row.summary).description(`${row.summary[0]?.toUpperCase()}${row.summary.slice(1)}.`);
      for (const argument of taken) command.argument(argument);
      if (row.isDefault) {
        defaultCommands.add(command);
        parent.addHelpText(
          'after',
          `\nWithout a command, this runs \`${words}\`; see \`sitepub help ${words}\` for its flags.`,
        );
      }
      if (row.notes) command.addHelpText('after', `\n${row.notes}`);
      if (row.exitCodes) command.addHelpText('after', exitCodesHelp(row.exitCodes));
      if (parent === program) command.helpGroup(heading);
      command.action(() => run(row, command));
      parent.addCommand(command, { isDefault: row.isDefault ?? false });
    }
  const help = createCommand('help', {}).summary('show the help of a command').argument('[command...]');
  help.helpGroup('Other:').action((words: readonly string[]) => printHelp(program, words));
  program.addCommand(help);
  return program;
}

function exitCodesHelp(codes: Readonly<Record<number, string>>): string {
  const rows = Object.entries(codes).map(([code, meaning]) => `  ${code.padEnd(4)} ${meaning}`);
  return `\nExit codes:\n${rows.join('\n')}`;
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
      next.helpCommand('help [command]', 'show the help of a command');
      if (parent === program) next.helpGroup(heading);
      parent.addCommand(next);
    }
    parent = next;
  }
  return parent;
}

/** Returns the exit code. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  let code = 0;
  let running = '';
  const program = createProgram(async (row, command) => {
    running = pathOf(command);
    const everywhere = givenTo(program, globalFlags);
    const config = everywhere.text('config');
    const given = { ...givenTo(command, row.flags ?? {}), ...(config !== undefined && { config }) };
    const unknown = explainUnknown(process.env);
    if (unknown !== undefined) console.error(`sitepub: ${visible(unknown)}`);
    if (everywhere.switched('no-color')) process.env.NO_COLOR = '1';
    code = await row.run(given, program);
  });
  if (args.length === 0) {
    program.outputHelp();
    return 2;
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (program.opts<{ verbose?: boolean }>().verbose && !(error instanceof CommanderError))
      console.error(error);
    return explain(error, running);
  }
}

/** Returns the exit code. `running`: the words of the command, such as "mock trigger". */
function explain(error: unknown, running: string): number {
  // Commander has printed the help or the version.
  if (error instanceof CommanderError) return 0;
  const message = error instanceof Error ? error.message : String(error);
  const code = exitCodeOfError(error);
  if (code === undefined)
    return printError(`internal error in ${running}: ${message} (add --verbose for a stack trace)`, 4);
  const { name } = (error as Error).constructor;
  const { command = running } = error as UsageError;
  const isUsage = name === 'UsageError' || name === 'LeaveBehindNeeded';
  return printError(`${message}${isUsage ? ` (\`${`sitepub ${command}`.trim()} --help\`)` : ''}`, code);
}

function printError(message: string, code: number): number {
  for (const line of message.split('\n')) console.error(`sitepub: ${withNpx(visible(line))}`);
  return code;
}
