// Reads flags and the environment variables of the same names, once, and rejects what is wrong.

import { parseArgs } from 'node:util';
import { nearest } from '../../openapi/nearest.ts';
import { readNamedText } from '../../openapi/read-limited-text.ts';
import { UsageError } from './usage-error.ts';

/**
 * A flag; `--max-wait` can be set by the environment variable SITEPUB_MAX_WAIT, unless it `isSpoken`. A list has several values, separated by commas or blanks.
 * Names are a list of variables' names, each after a flag of its own: a word that follows may be a secret, and is not repeated in messages.
 * A secret has none: the flag only demands one, and its value is in the environment or in a file (see readSecret).
 */
export interface Flag {
  kind: 'text' | 'switch' | 'list' | 'names' | 'secret';
  /** The placeholder of the value in the help. */
  value?: string;
  help: string;
  /** It counts on the command line alone: no variable that was set for something else may say yes. */
  isSpoken?: boolean;
}

export type Flags = Readonly<Record<string, Flag>>;

/** A flag with one text; `value` is its placeholder in the help. */
export function textFlag(value: string, help: string): Flag {
  return { kind: 'text', value, help };
}

export function listFlag(value: string, help: string): Flag {
  return { kind: 'list', value, help };
}

export function namesFlag(value: string, help: string): Flag {
  return { kind: 'names', value, help };
}

export function switchFlag(help: string): Flag {
  return { kind: 'switch', help };
}

/** A switch that allows what can't be undone; it has no variable. */
export function confirmFlag(help: string): Flag {
  return { kind: 'switch', help, isSpoken: true };
}

export function secretFlag(help: string): Flag {
  return { kind: 'secret', help };
}

/** The values that were given, by the names of flags. */
export interface Given {
  text(name: string): string | undefined;
  /** Whether it is given more than once: a text is what was given last. */
  isRepeated(name: string): boolean;
  list(name: string): string[];
  switched(name: string): boolean;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the arguments of a command. Throws UsageError for an unknown flag, a stray word or a missing value. */
export function readFlags(
  args: readonly string[],
  flags: Flags,
  environment: Environment = process.env,
): Given {
  const given = readArguments(args, flags);
  for (const [name, flag] of Object.entries(flags)) {
    const value = environment[variableOf(name)];
    if (given.has(name) || !value || flag.kind === 'secret' || flag.isSpoken) continue;
    given.set(
      name,
      flag.kind === 'switch' ? readSwitch(name, value) : value.split(flag.kind === 'text' ? '\n' : ','),
    );
  }
  return {
    text: (name) => given.get(name)?.at(-1),
    isRepeated: (name) => (given.get(name)?.length ?? 0) > 1,
    list: (name) =>
      (given.get(name) ?? [])
        .flatMap((value) => value.split(','))
        .map((value) => value.trim())
        .filter(Boolean),
    switched: (name) => given.get(name)?.at(-1) === 'true',
  };
}

interface Help {
  usage: string;
  /** What follows the flags. */
  notes?: string;
  environment?: Environment;
}

/** Reads the arguments of a command. When --help or -h is among them, prints the help and returns undefined. Throws UsageError. */
export function readFlagsOrHelp(
  args: readonly string[],
  flags: Flags,
  { usage, notes = '', environment = process.env }: Help,
): Given | undefined {
  const all: Flags = { ...flags, help: confirmFlag('show this') };
  const given = readFlags(args, all, environment);
  if (!given.switched('help')) {
    sayIgnored(all, environment);
    return given;
  }
  console.log([usage, describeFlags(all), notes].filter(Boolean).join('\n\n'));
  return undefined;
}

function sayIgnored(flags: Flags, environment: Environment): void {
  for (const [name, { isSpoken }] of Object.entries(flags))
    if (isSpoken && environment[variableOf(name)])
      console.error(`sitepub: ${variableOf(name)} is ignored; --${name} counts on the command line alone`);
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

/** The environment variable that sets a flag. */
export function variableOf(name: string): string {
  return `SITEPUB_${name.replaceAll('-', '_').toUpperCase()}`;
}

/** The help on flags, one per line. */
export function describeFlags(flags: Flags): string {
  const rows = Object.entries(flags).map(
    ([name, { value, help }]) => [`--${name}${value ? ` ${value}` : ''}`, help] as const,
  );
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, help]) => `  ${left.padEnd(width)}  ${help}`).join('\n');
}

/** Secrets that people try to give by flag, where every process list would show them. */
const secretFlags = [
  'password',
  'api-key',
  'secret',
  'token',
  'control-token',
  'key-passphrase',
  'second-password',
  'other-password',
];

function readArguments(args: readonly string[], flags: Flags): Map<string, string[]> {
  const given = new Map<string, string[]>();
  let list: string | undefined;
  let secret: string | undefined;
  let names: string | undefined;
  for (const token of parseTokens(args, flags)) {
    if (token.kind === 'option') {
      const value = valueOfOption(token, flags);
      given.set(token.name, [...(given.get(token.name) ?? []), value]);
      const kind = flags[token.name]?.kind;
      list = kind === 'list' ? token.name : undefined;
      secret = kind === 'secret' ? token.name : undefined;
      names = kind === 'names' ? token.name : undefined;
    } else if (token.kind === 'positional') {
      if (secret !== undefined) throw secretInFlag(`--${secret}`, secret);
      if (names !== undefined) throw valueAfterName(names);
      if (list === undefined) throw new UsageError(`"${token.value}" is out of place: it belongs to no flag`);
      given.set(list, [...(given.get(list) ?? []), token.value]);
    }
  }
  return given;
}

function parseTokens(args: readonly string[], flags: Flags) {
  const types = Object.entries(flags).map(([name, { kind }]) => {
    const type = kind === 'switch' || kind === 'secret' ? 'boolean' : 'string';
    return [name, { type, multiple: true, ...(name === 'help' && { short: 'h' }) } as const] as const;
  });
  const options = Object.fromEntries(types);
  const settings = { strict: false, allowPositionals: true, tokens: true } as const;
  return parseArgs({ args: [...args], options, ...settings }).tokens;
}

function valueOfOption(
  { name, rawName, value }: { name: string; rawName: string; value?: string | undefined },
  flags: Flags,
): string {
  const flag = flags[name];
  if (!flag) throw unknownFlag(rawName, name, flags);
  if (flag.kind === 'secret' && value !== undefined) throw secretInFlag(rawName, name);
  if (flag.kind === 'switch' || flag.kind === 'secret') {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value`);
    return 'true';
  }
  if (value === undefined || value === '' || (value.startsWith('--') && value.length > 2)) {
    throw new UsageError(`${rawName} needs a value${flag.value ? `, ${flag.value}` : ''}`);
  }
  return value;
}

/** What other commands call the same. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  port: ['listen', 'receiver-listen'],
  host: ['listen', 'receiver-listen'],
  listen: ['port', 'receiver-listen'],
};

function unknownFlag(rawName: string, name: string, flags: Flags): UsageError {
  if (secretFlags.includes(name)) return secretInFlag(rawName, name);
  const guess = otherNames[name]?.find((one) => one in flags) ?? nearest(name, Object.keys(flags));
  return new UsageError(`unknown flag ${rawName}${guess ? `; did you mean --${guess}?` : ''}`);
}

function secretInFlag(rawName: string, name: string): UsageError {
  return new UsageError(
    `${rawName}: secrets are not taken from flags, where process lists show them; set ${variableOf(name)} or ${variableOf(name)}_FILE`,
  );
}

function valueAfterName(name: string): UsageError {
  return new UsageError(
    `a word after --${name} and its name belongs to no flag; a value is not taken from there, where process lists show it`,
  );
}

function readSwitch(name: string, value: string): string[] {
  if (/^(1|true|yes)$/i.test(value)) return ['true'];
  if (/^(0|false|no)$/i.test(value)) return [];
  throw new UsageError(`${variableOf(name)} is "${value}"; expected true or false`);
}
