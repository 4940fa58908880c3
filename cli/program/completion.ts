import type { Command } from 'commander';
import { didYouMean } from '../../openapi/nearest.ts';
import { defaultCommands, type Given } from '../options/flags.ts';
import { UsageError } from '../options/usage-error.ts';

export async function completion({ words: [shell = ''] }: Given, program: Command): Promise<number> {
  const write = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (!write) {
    const known = Object.keys(scripts);
    throw new UsageError(
      `there is no completion for "${shell}"${didYouMean(shell, known, `; there are ${known.join(', ')}`)}`,
    );
  }
  console.log(write([...pathsOf(program)]));
  return 0;
}

interface Path {
  /** "mock trigger"; "" for sitepub itself. */
  words: string;
  /** Commands and flags that may follow. */
  next: readonly string[];
}

function* pathsOf(command: Command, words = ''): Generator<Path> {
  const shown = command.commands.filter((one) => one.name() !== 'help');
  const flags = command.options.flatMap(({ long }) => long ?? []);
  const more = shown.find((one) => defaultCommands.has(one))?.options.flatMap(({ long }) => long ?? []) ?? [];
  yield { words, next: [...shown.map((one) => one.name()), ...flags, ...more, '--help'] };
  for (const one of shown) yield* pathsOf(one, `${words} ${one.name()}`.trim());
}

const scripts: Readonly<Record<string, (paths: readonly Path[]) => string>> = {
  bash: (paths) => `_sitepub() {
  local before="\${COMP_WORDS[*]:1:COMP_CWORD-1}" next
${findNext(paths)}
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _sitepub sitepub`,
  zsh: (paths) => `#compdef sitepub
_sitepub() {
  local before="\${words[2,CURRENT-1]}" next
${findNext(paths)}
  compadd -- \${=next}
  _files
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _sitepub sitepub`,
  fish: (paths) =>
    [
      'function __sitepub_after',
      "  set -l words (string match --invert -- '-*' (commandline -opc)[2..])",
      '  test "$words" = "$argv[1]"',
      'end',
      ...paths.map(
        ({ words, next }) => `complete -c sitepub -n "__sitepub_after '${words}'" -a '${next.join(' ')}'`,
      ),
    ].join('\n'),
};

/** For bash and zsh: drops words from the end of $before, such as arguments, until a command is left. */
function findNext(paths: readonly Path[]): string {
  const cases = paths.map(({ words, next }) => `      "${words}") next="${next.join(' ')}" ;;`);
  return `  while :; do
    case "$before" in
${cases.join('\n')}
      *" "*) before="\${before% *}"; continue ;;
      *) before=""; continue ;;
    esac
    break
  done`;
}
