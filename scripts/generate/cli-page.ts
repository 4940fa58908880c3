// docs/reference/cli.md: the help of every command.
import type { Command } from 'commander';
import { createProgram } from '../../cli/program/program.ts';
import { block, pageHead, paragraphs } from './markdown.ts';

const intro = `\`sitepub help COMMAND\` prints the same texts. A flag takes precedence over its [environment variable](config.md#environment-variables), and a variable over the [configuration file](config.md). Flags whose value is named with \`…\` take several values, separated by commas or spaces. Durations are written as \`90s\`, \`36m\` or \`1h\`.`;

export function cliPage(): string {
  const program = createProgram(async () => {});
  return `${paragraphs([
    pageHead('cli/program/ and cli/options/', 'Command line'),
    intro,
    ...sectionsOf(program, 'sitepub'),
  ])}\n`;
}

function sectionsOf(command: Command, name: string): string[] {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => 100 });
  command.outputHelp();
  const inner = command.commands.flatMap((one) => sectionsOf(one, `${name} ${one.name()}`));
  return [`## ${name}`, block('text', help.trim()), ...inner];
}
