// docs/reference/cli.md, from the tables of commands, flags and variables.
import { variables } from '../../cli/options/environment.ts';
import type { Flags } from '../../cli/options/flags.ts';
import type { CommandRow } from '../../cli/program/command-row.ts';
import { createProgram, groups } from '../../cli/program/program.ts';
import { block, code, escapeTags, pageHead, paragraphs, sentence, table } from './markdown.ts';

const intro = `\`sitepub help COMMAND\` prints the same help in the terminal.

A flag takes precedence over its [variable](#environment-variables), and a variable over the [configuration file](config.md). Flags whose value is named with \`…\` take several values, separated by commas or spaces. Durations are written as \`90s\`, \`36m\` or \`1h\`.`;

type Row = CommandRow & { exitCodes?: Readonly<Record<number, string>> };

/** Variables that no flag names. */
const meanings: Readonly<Record<string, string>> = {
  SITEPUB_USERNAME: 'user of a tenant',
  SITEPUB_PASSWORD: 'password of that user',
  SITEPUB_API_KEY: 'API key of that tenant',
  SITEPUB_SITE_ID: 'site of that tenant',
  SITEPUB_SECOND_USERNAME: 'second user of that tenant',
  SITEPUB_SECOND_PASSWORD: 'password of the second user',
  SITEPUB_OTHER_USERNAME: 'user of another tenant',
  SITEPUB_OTHER_PASSWORD: 'password of that user',
  SITEPUB_OTHER_SITE_ID: 'site of the other tenant',
  SITEPUB_CONTROL_TOKEN: 'token of the control API of a mock',
  SITEPUB_KEY_PASSPHRASE: 'passphrase of the file of `--key`',
  SITEPUB_WEBHOOK_SECRET: 'signing secret of webhooks',
  SITEPUB_STORE: 'store of the mock, if its URL contains a password',
  SITEPUB_CONFIG: 'path of the configuration file',
};

const otherVariables = `In addition, sitepub reads these variables:

- \`SITEPUB_HEADER_NAME\` is the value of \`--header NAME\`, with \`_\` for \`-\`: \`SITEPUB_HEADER_X_GATE\` for \`--header X-Gate\`. It is a secret.
- \`HTTPS_PROXY\`, \`HTTP_PROXY\` and \`NO_PROXY\`, in upper or lower case, apply to calls of a deployment.
- \`NO_COLOR\` turns colours off.
- \`GITHUB_ACTIONS\` and \`GITHUB_STEP_SUMMARY\` make \`sitepub test\` write annotations and a job summary.

Curl lines in reports use \`SITEPUB_TOKEN\` and a few similar names. sitepub itself does not read those.
Any other variable whose name begins with \`SITEPUB_\` has no effect. sitepub names it on standard error.`;

/** The text of the page. */
export function cliPage(): string {
  const globalFlags = createProgram(async () => {}).options;
  const sections = groups.map(([heading, rows]) =>
    paragraphs([`## ${heading.replace(':', '')}`, ...rows.map(sectionOf)]),
  );
  return `${paragraphs([
    pageHead('cli/program/ and cli/options/', 'Command line'),
    intro,
    table(
      ['command', 'what it does'],
      groups.flatMap(([, rows]) => rows.map(linkOf)),
    ),
    '## Flags of every command',
    table(
      ['flag', 'meaning'],
      [
        ...globalFlags.map((one) => [code(one.flags), withoutVariable(one.description)]),
        ['`-h, --help`', 'show the help'],
      ],
    ),
    ...sections,
    '## Environment variables',
    'If a variable is a secret, you can put its value into a file instead. Set the variable with `_FILE` at its end to the path of that file.',
    table(['variable', 'meaning', 'secret'], variableRows()),
    otherVariables,
  ])}\n`;
}

function linkOf({ usage, summary }: CommandRow): string[] {
  const [words = ''] = usage.split(/ (?=[<[])/);
  return [`[${code(words)}](#sitepub-${words.replaceAll(' ', '-')})`, summary];
}

function sectionOf({ usage, isDefault, summary, flags = {}, notes = '', exitCodes = {} }: Row): string {
  const [words = '', ...args] = usage.split(/ (?=[<[])/);
  const short = words.split(' ').slice(0, -1).join(' ');
  const rows = flagRows(flags);
  const shown = [
    `sitepub ${words}`,
    ...args.map((one) => one.toUpperCase()),
    rows.length > 0 ? '[flags]' : '',
  ]
    .join(' ')
    .trimEnd();
  return paragraphs([
    `### sitepub ${words}`,
    sentence(`${summary[0]?.toUpperCase()}${summary.slice(1)}`),
    block('text', isDefault ? `${shown}\n${shown.replace(words, short)}` : shown),
    table(['flag', 'meaning', 'variable'], rows),
    ...notesOf(notes),
    table(['exit code', 'meaning'], Object.entries(exitCodes)),
  ]);
}

function flagRows(flags: Flags): string[][] {
  return Object.values(flags).map(({ usage, help, variable }) => [
    code(usage),
    withoutVariable(help),
    variable === undefined ? '' : code(variable),
  ]);
}

function withoutVariable(help: string): string {
  return help.replace(/ \[SITEPUB_\w+\]$/, '');
}

/** Indented lines are lists, examples or columns. */
function notesOf(notes: string): string[] {
  const runs = notes.match(/(^( |SITEPUB_\w+ {2}).*(\n|$))+|(^(?! |SITEPUB_\w+ {2}).+(\n|$))+/gm) ?? [];
  return runs.map((run) => {
    const text = run.trimEnd().replaceAll(/^ {2}/gm, '');
    return /^( {2}[^ -]|SITEPUB_)/.test(run) ? block('text', text) : escapeTags(text);
  });
}

function variableRows(): string[][] {
  const flags = groups.flatMap(([, rows]) => rows.flatMap((row) => Object.entries(row.flags ?? {})));
  const ofFlags = new Map(
    flags.flatMap(([name, { variable }]): [string, string][] =>
      variable === undefined || variable in variables ? [] : [[variable, `the flag \`--${name}\``]],
    ),
  );
  const ofOthers = Object.entries(variables).map(([name, { kind }]) => [
    code(name),
    meanings[name] ?? '',
    kind === 'secret' ? 'yes' : '',
  ]);
  return [...[...ofFlags].map(([name, meaning]) => [code(name), meaning, '']), ...ofOthers];
}
