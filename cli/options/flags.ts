// Flags as tables for commander, and the values of flags, variables and secrets.
import { Command, type CommanderError, InvalidArgumentError, Option } from 'commander';
import { didYouMean, nearest } from '../../openapi/nearest.ts';
import { readNamedText } from '../../openapi/read-limited-text.ts';
import { UsageError } from './usage-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Flag {
  /** In the notation of commander: "-p, --port <N>". */
  usage: string;
  help: string;
  /** Placeholder of the value: N for a number, F or FILE for a path, P for a profile, `a|b` for a choice. Undefined for a switch. */
  value?: string | undefined;
  /** Environment variable that is used if the flag is missing. */
  variable?: string | undefined;
}

export type Flags = Readonly<Record<string, Flag>>;

/**
 * Makes flags from their lines in the help. `[SITEPUB_X]` at the end names a variable that also sets the flag. A placeholder that ends with … takes several values, separated by commas or spaces.
 * A flag with the name of a secret is a switch: it only requires the secret, which comes from readSecret.
 */
export function flags(lines: Readonly<Record<string, string>>): Flags {
  const rows = Object.entries(lines).map(([usage, help]): [string, Flag] => {
    const [, name = '', value] = /--([\w-]+)(?: <(.*)>)?$/.exec(usage) ?? [];
    return [name, { usage, help, value, variable: /\[(SITEPUB_\w+)\]$/.exec(help)?.[1] }];
  });
  return Object.fromEntries(rows);
}

interface Settings {
  /** Values of each flag, from the command line, the environment or the configuration, in this order. */
  texts: Readonly<Record<string, readonly string[]>>;
  /** Names of flags on the command line. */
  cliFlags: readonly string[];
  /** Arguments. */
  words: readonly string[];
  environment: Environment;
  /** Path of the configuration file, if one is named. */
  config?: string;
}

export interface Given extends Settings {
  /** The last value. */
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

export function withoutFlags(given: Given, names: readonly string[]): Given {
  const texts = Object.entries(given.texts).filter(([name]) => !names.includes(name));
  const cliFlags = given.cliFlags.filter((name) => !names.includes(name));
  return createGiven({ ...given, texts: Object.fromEntries(texts), cliFlags });
}

/** Throws UsageError for wrong arguments, and CommanderError after it has printed help. */
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

/** "mock trigger". */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : '';
}

function optionOf({ usage, help, value }: Flag): Option {
  const option = new Option(usage.replace('…>', '...>'), help);
  if (value === undefined) return option;
  return option.argParser((text, before: string[] = []) => {
    // A flag instead of a value means that the value was forgotten.
    if (text === '' || /^--./.test(text)) throw new InvalidArgumentError('');
    return [...before, text];
  });
}

/** Falls back to environment variables. Throws UsageError. */
export function givenTo(command: Command, flags: Flags, environment: Environment = process.env): Given {
  const options = command.opts<Record<string, string[] | boolean | undefined>>();
  const texts: Record<string, readonly string[]> = {};
  const cliFlags: string[] = [];
  for (const option of command.options) {
    const name = option.name();
    const { value: placeholder, variable = '' } = flags[name] ?? {};
    const found = options[option.attributeName()];
    // Commander treats --no-x as the opposite of --x.
    const value = option.negate ? found === false : found;
    const text = readVariable(variable, environment);
    if (value) {
      cliFlags.push(name);
      texts[name] = value === true ? ['true'] : value;
    } else if (text) texts[name] = [placeholder === undefined ? readSwitch(variable, text) : text];
  }
  return createGiven({ texts, cliFlags, words: command.args, environment });
}

/** For a Service named sitepub, Kubernetes sets SITEPUB_PORT to a URL. */
function readVariable(name: string, environment: Environment): string | undefined {
  const value = environment[name];
  return name === 'SITEPUB_PORT' && value?.startsWith('tcp://') ? undefined : value;
}

function readSwitch(variable: string, text: string): string {
  if (/^(1|true|yes)$/i.test(text)) return 'true';
  if (/^(0|false|no)$/i.test(text)) return 'false';
  throw new UsageError(`${variable} is "${text}"; expected true or false`);
}

/** Reads arguments without a command. `taken`: the arguments that are not flags. Throws UsageError. */
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

/** SITEPUB_X itself, or the first line of the file that SITEPUB_X_FILE names. */
export function readSecret(name: string, environment: Environment = process.env): string | undefined {
  const file = environment[`${name}_FILE`];
  if (environment[name] || !file) return environment[name] || undefined;
  return readSecretLines(name, file)[0];
}

/** In bytes. */
const longestSecrets = 1_048_576;

/** Throws UsageError. */
export function readSecretLines(name: string, file: string): string[] {
  const text = readNamedText(file, longestSecrets, (reason, advice = 'name a text file') => {
    return new UsageError(`${name}_FILE names ${file}, which can't be read (${reason}); ${advice}`);
  });
  return text.split(/\r?\n/);
}

/** Flags that users try for secrets, although process lists would show them. */
const secretFlags = [
  ...['password', 'api-key', 'secret', 'token', 'control-token', 'key-passphrase'],
  ...['second-password', 'other-password', 'webhook-secret'],
];

/** Leaves help as it is. Messages repeat neither the value of an unknown flag nor an unexpected argument, because it may be a secret. */
function explain(error: CommanderError, command: Command, flags: Flags): Error {
  const [, raw = '', name = ''] = /'(?:-\w, )?(--?([^' =<]*))/.exec(error.message) ?? [];
  const { value } = flags[name] ?? {};
  if (error.code === 'commander.unknownCommand') return unknownCommand(command, command.args[0]);
  if (error.code === 'commander.unknownOption') return unknownFlag(raw, name, flags);
  if (['commander.optionMissingArgument', 'commander.invalidArgument'].includes(error.code))
    return new UsageError(`--${name} needs a value${value ? `: ${value}` : ''}`);
  if (error.code === 'commander.excessArguments') return tooManyWords(command);
  if (error.code === 'commander.help') return explainHelp(error, command);
  if (error.exitCode === 0) return error;
  return new UsageError(error.message.replace(/^error: /, ''));
}

/** Commander also ends with its help if the command of a group is missing or, after `help`, unknown. */
function explainHelp(error: CommanderError, command: Command): Error {
  const [word, topic] = command.args;
  const isAsked = word === 'help' || command.parent?.args[0] === 'help';
  if (isAsked && topic === undefined) return error;
  if (isAsked) return unknownCommand(command, topic);
  const names = command.commands.map((one) => one.name());
  return new UsageError(`the command is missing; there are ${names.join(', ')}`);
}

/** Names of similar flags of other commands. */
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

/** A word that is a command of a subgroup probably means that one. */
export function unknownCommand(group: Command, word = ''): UsageError {
  const names = group.commands.map((one) => one.name());
  const deeper = group.commands.flatMap(({ commands }) => commands).find((one) => one.name() === word);
  const hint = deeper
    ? `; did you mean "sitepub ${pathOf(deeper)}"?`
    : didYouMean(word, names, `; there are ${names.join(', ')}`);
  return new UsageError(`there is no "sitepub ${`${pathOf(group)} ${word}`.trim()}"${hint}`);
}

/** Commands that their group runs if no command is named. */
export const defaultCommands = new WeakSet<Command>();

/** An argument of a default command is probably a misspelled command of the group. */
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
