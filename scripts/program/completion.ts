// Completion scripts, from the tree of commands.
import type { Command } from 'commander';
import { didYouMean } from '../../openapi/nearest.ts';
import { defaultCommands, type Given } from '../options/flags.ts';
import { UsageError } from '../options/usage-error.ts';

/** `sitepub completion bash|zsh|fish`: a script for the shell. */
export async function completion({ words: [shell = ''] }: Given, program: Command): Promise<number> {
  const write = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (!write) {
    const known = Object.keys(scripts);
    throw new UsageError(
      `there is no completion for "${shell}"${didYouMean(shell, known, `; there is ${known.join(', ')}`)}`,
    );
  }
  console.log(write([...pathsOf(program)]));
  return 0;
}

interface Path {
  /** "mock trigger"; "" for sitepub itself. */
  words: string;
  /** What may follow: commands and flags. */
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
  local words="\${COMP_WORDS[*]:1:COMP_CWORD-1}" next
  while :; do
    case "$words" in
${casesOf(paths)}
      *" "*) words="\${words% *}"; continue ;;
      *) words=""; continue ;;
    esac
    break
  done
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _sitepub sitepub`,
  zsh: (paths) => `#compdef sitepub
_sitepub() {
  local words_before="\${words[2,CURRENT-1]}" next
  while :; do
    case "$words_before" in
${casesOf(paths)}
      *" "*) words_before="\${words_before% *}"; continue ;;
      *) words_before=""; continue ;;
    esac
    break
  done
  compadd -- \${=next}
  _files
}
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

/** What stands for words of a command that takes arguments is found once they are left out. */
function casesOf(paths: readonly Path[]): string {
  return paths.map(({ words, next }) => `      "${words}") next="${next.join(' ')}" ;;`).join('\n');
}
