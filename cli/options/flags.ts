// Flags as tables, which commander reads; and the few environment variables and secrets beside them.
import { Command, type CommanderError, InvalidArgumentError, Option } from 'commander';
import { didYouMean, nearest } from '../../openapi/nearest.ts';
import { readNamedText } from '../../openapi/read-limited-text.ts';
import { UsageError } from './usage-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Flag {
  /** As commander writes it, such as "-p, --port <N>". */
  usage: string;
  help: string;
  /** The placeholder of its value: N for a number, F or FILE for a path, P for a profile, `a|b` for one of these words. A switch has none. */
  value?: string | undefined;
  /** The environment variable that sets it where the command line does not. */
  variable?: string | undefined;
}

/** By name. */
export type Flags = Readonly<Record<string, Flag>>;

/**
 * Flags by their lines in the help. A variable in brackets at the end sets a flag, too. A placeholder that ends with … takes several values, separated by commas or blanks.
 * A flag that is called as a secret takes none: it only demands one, which is in the environment or in a file (see readSecret).
 */
export function flags(lines: Readonly<Record<string, string>>): Flags {
  const rows = Object.entries(lines).map(([usage, help]): [string, Flag] => {
    const [, name = '', value] = /--([\w-]+)(?: <(.*)>)?$/.exec(usage) ?? [];
    return [name, { usage, help, value, variable: /\[(SITEPUB_\w+)\]$/.exec(help)?.[1] }];
  });
  return Object.fromEntries(rows);
}

/** What a command goes by. */
interface Settings {
  /** The texts of each flag, from the first that has some: the command line, the environment, the configuration. */
  texts: Readonly<Record<string, readonly string[]>>;
  /** The flags on the command line. */
  spoken: readonly string[];
  /** The words that belong to no flag. */
  words: readonly string[];
  environment: Environment;
  /** The configuration file that is named for all commands. */
  config?: string;
}

/** What was given, by the names of flags. */
export interface Given extends Settings {
  /** What was given last. */
  text(name: string): string | undefined;
  list(name: string): string[];
  switched(name: string): boolean;
}

export function createGiven(settings: Settings): Given {
  const textsOf = (name: string) => settings.texts[name] ?? [];
  return {
    ...settings,
    text: (name) => textsOf(name).at(-1),
    list: (name) =>
      textsOf(name)
        .flatMap((value) => value.split(','))
        .map((value) => value.trim())
        .filter(Boolean),
    switched: (name) => textsOf(name).at(-1) === 'true',
  };
}

/** The same without some flags. */
export function withoutFlags(given: Given, names: readonly string[]): Given {
  const texts = Object.entries(given.texts).filter(([name]) => !names.includes(name));
  const spoken = given.spoken.filter((name) => !names.includes(name));
  return createGiven({ ...given, texts: Object.fromEntries(texts), spoken });
}

/** A command that throws UsageError for wrong arguments. Its `parse` ends with CommanderError after help was printed. */
export function createCommand(name: string, flags: Flags): Command {
  const command = new Command(name)
    .helpOption('-h, --help', 'show this help')
    .configureOutput({ writeErr: () => {}, outputError: () => {} })
    .exitOverride((error) => {
      const explained = explain(error, command, flags);
      if (explained instanceof UsageError) explained.command = pathOf(command);
      throw explained;
    });
  for (const flag of Object.values(flags)) command.addOption(optionOf(flag));
  return command;
}

/** The words that call a command, without sitepub itself. */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : '';
}

function optionOf({ usage, help, value }: Flag): Option {
  const option = new Option(usage.replace('…>', '...>'), help);
  if (value === undefined) return option;
  return option.argParser((text, before: string[] = []) => {
    // What looks like a flag is one: its value was forgotten.
    if (text === '' || /^--./.test(text)) throw new InvalidArgumentError('');
    return [...before, text];
  });
}

/** What a command was given, with the environment behind the command line. Throws UsageError. */
export function givenTo(command: Command, flags: Flags, environment: Environment = process.env): Given {
  const options = command.opts<Record<string, string[] | boolean | undefined>>();
  const texts: Record<string, readonly string[]> = {};
  const spoken: string[] = [];
  for (const option of command.options) {
    const name = option.name();
    const { value: placeholder, variable = '' } = flags[name] ?? {};
    const found = options[option.attributeName()];
    // Commander takes --no-x as the opposite of --x.
    const value = option.negate ? found === false : found;
    const text = readVariable(variable, environment);
    if (value) {
      spoken.push(name);
      texts[name] = value === true ? ['true'] : value;
    } else if (text) texts[name] = [placeholder === undefined ? readSwitch(variable, text) : text];
  }
  return createGiven({ texts, spoken, words: command.args, environment });
}

/** Kubernetes sets one of them for a Service named sitepub. */
function readVariable(name: string, environment: Environment): string | undefined {
  const value = environment[name];
  return name === 'SITEPUB_PORT' && value?.startsWith('tcp://') ? undefined : value;
}

function readSwitch(variable: string, text: string): string {
  if (/^(1|true|yes)$/i.test(text)) return 'true';
  if (/^(0|false|no)$/i.test(text)) return 'false';
  throw new UsageError(`${variable} is "${text}"; expected true or false`);
}

/** Reads arguments without a command around them; `taken` are those that belong to no flag. Throws UsageError for an unknown flag, a stray word or a missing value. */
export function readFlags(
  args: readonly string[],
  flags: Flags,
  environment: Environment = process.env,
  taken?: string,
): Given {
  const command = createCommand('sitepub', flags);
  if (taken !== undefined) command.argument(taken);
  return givenTo(command.parse(args, { from: 'user' }), flags, environment);
}

/** A secret from the environment: SITEPUB_X itself, or the first line of the file that SITEPUB_X_FILE names. */
export function readSecret(name: string, environment: Environment = process.env): string | undefined {
  const file = environment[`${name}_FILE`];
  if (environment[name] || !file) return environment[name] || undefined;
  return readSecretLines(name, file)[0];
}

/** In bytes. */
const longestSecrets = 1_048_576;

/** The lines of the file that the variable `name`_FILE names. Throws UsageError. */
export function readSecretLines(name: string, file: string): string[] {
  const text = readNamedText(file, longestSecrets, (reason, advice = 'name a text file') => {
    return new UsageError(`${name}_FILE names ${file}, which can't be read (${reason}); ${advice}`);
  });
  return text.split(/\r?\n/);
}

/** Names by which people try to give secrets by flag, where every process list would show them. */
const secretFlags = [
  ...['password', 'api-key', 'secret', 'token', 'control-token', 'key-passphrase'],
  ...['second-password', 'other-password', 'webhook-secret'],
];

/** The help passes as it is. Messages repeat no word that may be a secret: neither the value of an unknown flag nor a stray word. */
function explain(error: CommanderError, command: Command, flags: Flags): Error {
  const [, raw = '', name = ''] = /'(?:-\w, )?(--?([^' =<]*))/.exec(error.message) ?? [];
  const { value } = flags[name] ?? {};
  if (error.code === 'commander.unknownCommand') return unknownCommand(command, command.args[0]);
  if (error.code === 'commander.unknownOption') return unknownFlag(raw, name, flags);
  if (['commander.optionMissingArgument', 'commander.invalidArgument'].includes(error.code))
    return new UsageError(`--${name} needs a value${value ? `: ${value}` : ''}`);
  if (error.code === 'commander.excessArguments') return tooManyWords(command);
  if (error.exitCode === 0 || error.code === 'commander.help') return error;
  return new UsageError(error.message.replace(/^error: /, ''));
}

/** What other commands call the same. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  port: ['listen', 'receiver-listen'],
  host: ['listen', 'receiver-listen'],
  listen: ['port', 'receiver-listen'],
};

function unknownFlag(raw: string, name: string, flags: Flags): UsageError {
  if (secretFlags.includes(name)) return secretInFlag(name);
  if (flags[name]) return new UsageError(`${raw} takes no value`);
  const guess = otherNames[name]?.find((one) => one in flags) ?? nearest(name, Object.keys(flags));
  return new UsageError(`unknown flag ${raw}${guess ? `; did you mean --${guess}?` : ''}`);
}

function secretInFlag(name: string): UsageError {
  const meant = { secret: 'webhook-secret', token: 'api-key' }[name] ?? name;
  const variable = `SITEPUB_${meant.replaceAll('-', '_').toUpperCase()}`;
  return new UsageError(
    `--${name}: secrets cannot be passed as flags, because process lists show them; set ${variable} or ${variable}_FILE`,
  );
}

/** A word that is known below another command is meant there. */
export function unknownCommand(group: Command, word = ''): UsageError {
  const names = group.commands.map((one) => one.name());
  const deeper = group.commands.flatMap(({ commands }) => commands).find((one) => one.name() === word);
  const hint = deeper
    ? `; did you mean "sitepub ${pathOf(deeper)}"?`
    : didYouMean(word, names, `; there are ${names.join(', ')}`);
  return new UsageError(`there is no "sitepub ${`${pathOf(group)} ${word}`.trim()}"${hint}`);
}

/** The commands that run where the words before their last one are given alone. */
export const defaultCommands = new WeakSet<Command>();

/** The word behind a group that runs a command by itself was meant as the name of another one. */
function tooManyWords(command: Command): UsageError {
  const { parent } = command;
  const isDemanded = (option: Option) => command.getOptionValue(option.attributeName()) === true;
  const demanded = command.options.find(
    (option) => secretFlags.includes(option.name()) && isDemanded(option),
  );
  if (demanded) return secretInFlag(demanded.name());
  if (parent && command.registeredArguments.length === 0 && defaultCommands.has(command))
    return unknownCommand(parent, command.args[0]);
  const { length } = command.registeredArguments;
  const taken = length === 0 ? 'no arguments' : length === 1 ? 'one argument' : `${length} arguments`;
  return new UsageError(
    `\`${`sitepub ${pathOf(command)}`.trim()}\` takes ${taken}, but got ${command.args.length}; put values right after their flags, and secrets into environment variables`,
  );
}
