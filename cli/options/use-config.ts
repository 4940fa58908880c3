// Puts what sitepub.config.yaml says beneath flags and variables of the environment.
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { headerVariable } from '../../contract-tests/core/suite-options.ts';
import type { Config } from './config.ts';
import { deploymentMembers, type Member, type Members, mockMembers } from './config-schema.ts';
import type { Environment, Given } from './flags.ts';
import { UsageError } from './usage-error.ts';

export const configName = 'sitepub.config.yaml';

/** The configuration that was named, or that is found here; undefined where there is none. Throws UsageError. */
async function readConfig({ config: named }: Given): Promise<Config | undefined> {
  const file = named ?? findConfig(process.cwd());
  return file === undefined ? undefined : (await import('./config.ts')).loadConfig(file);
}

/** Looks in the folder, and in a repository also above it, up to its root: what lies above a repository may be somebody else's. */
function findConfig(folder: string): string | undefined {
  const folders = [folder];
  let last = folder;
  while (!existsSync(join(last, '.git')) && dirname(last) !== last) {
    last = dirname(last);
    folders.push(last);
  }
  const searched = existsSync(join(last, '.git')) ? folders : [folder];
  const found = searched.map((one) => join(one, configName)).find((one) => existsSync(one));
  return found && relative(folder, found);
}

/** What a command goes by: its flags and words, and the environment. */
export interface Settings {
  given: Given;
  environment: Environment;
}

/** With the deployment that the word of the command names; an address stays as it is. Throws UsageError. */
export async function useDeployment(
  given: Given,
  isWanted: (member: string) => boolean = () => true,
  environment: Environment = process.env,
): Promise<Settings> {
  const [word] = given.words;
  if (word === undefined || /^https?:/i.test(word)) return { given, environment };
  return withDeployment({ given, environment }, await findDeployment(given, word), { isWanted });
}

/** With a deployment as the file alone has it: neither flags nor SITEPUB_ variables say anything of it. */
export async function useFileAlone(
  all: Given,
  name: string,
  variables: Environment = process.env,
): Promise<Settings> {
  const others = Object.entries(variables).filter(([variable]) => !variable.startsWith('SITEPUB_'));
  const flags = Object.values(deploymentMembers).flatMap(({ flag }) => flag ?? []);
  const given = withoutFlags(all, [...flags, 'base-url', 'header', 'journal', 'compare']);
  const settings = { given, environment: Object.fromEntries(others) };
  return withDeployment(settings, await findDeployment(all, name), { variables });
}

/** With the deployment of the file that has an address, if there is one. Throws UsageError. */
export async function useDeploymentAt(
  given: Given,
  url: string,
  environment: Environment = process.env,
): Promise<Settings> {
  const config = await readConfig(given);
  const found = Object.entries(config?.deployments ?? {}).find(
    ([, deployment]) => String(deployment.url).replace(/\/+$/, '') === url,
  );
  if (!config || !found) return { given, environment };
  return withDeployment({ given, environment }, { config, name: found[0] }, {});
}

/** With the defaults of the mock, but for some flags. Throws UsageError. */
export async function useMock(
  given: Given,
  except: readonly string[] = [],
  environment: Environment = process.env,
): Promise<Settings> {
  const config = await readConfig(given);
  if (!config) return { given, environment };
  const members = pick(mockMembers, (name) => !except.includes(name));
  return overlay({ given, environment }, { config, path: ['mock'], members });
}

interface Named {
  config: Config;
  name: string;
}

/** The word is not repeated, since it may be a secret. */
async function findDeployment(given: Given, word: string): Promise<Named> {
  const config = await readConfig(given);
  const advice = 'an address begins with http:// or https://';
  if (!config)
    throw new UsageError(
      `the deployment is no address, and there is no ${configName} that has a name for it; ${advice}`,
    );
  if (Object.hasOwn(config.deployments, word)) return { config, name: word };
  const names = Object.keys(config.deployments);
  throw new UsageError(
    `${config.file} has no deployment of that name; the names are ${names.join(', ') || 'none'}, and ${advice}`,
  );
}

interface Choice {
  isWanted?(member: string): boolean;
  /** Where `${VARIABLE}` is looked up, if not in the environment of the settings. */
  variables?: Environment;
}

function withDeployment(settings: Settings, { config, name }: Named, choice: Choice): Settings {
  const { isWanted = () => true, variables } = choice;
  const headers = Object.keys(Object(config.deployments[name]?.headers));
  const values = headers.map((header): [string, Member] => [
    `headers.${header}`,
    { variable: headerVariable(header), schema: {} },
  ]);
  const members = { ...pick(deploymentMembers, isWanted), ...Object.fromEntries(values) };
  const { given, environment } = overlay(
    settings,
    { config, path: ['deployments', name], members },
    variables,
  );
  const words = [given.text('url') ?? ''];
  // What a gateway demands is sent beside what the command line adds.
  const list: Given['list'] = (flag) => [...(flag === 'header' ? headers : []), ...given.list(flag)];
  return { given: { ...given, words, list }, environment };
}

function pick(members: Members, isWanted: (name: string) => boolean): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => isWanted(name)));
}

interface Part {
  config: Config;
  path: readonly string[];
  members: Members;
}

function overlay(settings: Settings, part: Part, variables = settings.environment): Settings {
  const { config, path, members } = part;
  const flags: Record<string, string[]> = {};
  const environment: Record<string, string> = {};
  const unset: string[] = [];
  for (const [name, member] of Object.entries(members)) {
    const place = [...path, ...name.split('.')];
    const value = valueAt(config, place);
    if (value === undefined || isOverridden(name, member, settings)) continue;
    const texts = [value].flat().map((one) =>
      String(one).replaceAll(/\$\{([A-Za-z_]\w*)\}/g, (_, variable: string) => {
        if (!variables[variable])
          unset.push(`${config.file}:${config.lineOf(place)}: the variable ${variable} is not set`);
        return variables[variable] ?? '';
      }),
    );
    const resolved = texts.map((text) => resolvePath(text, member, config));
    if (member.variable !== undefined) environment[member.variable] = resolved.join();
    else flags[member.flag ?? name] = resolved;
  }
  if (unset.length > 0) throw new UsageError(unset.join('\n'));
  return {
    given: withDefaults(settings.given, flags),
    environment: { ...settings.environment, ...environment },
  };
}

function valueAt({ deployments, mock }: Config, path: readonly string[]): unknown {
  const whole: unknown = { deployments, mock };
  return path.reduce((value, step) => (Object(value) as Record<string, unknown>)[step], whole);
}

/** Flags of the command line that leave no room for a member: the two exclude each other. */
const rivals: Readonly<Record<string, string>> = {
  baseline: 'compare',
  log: 'quiet',
  quiet: 'log',
  store: 'watch',
  tenants: 'world',
  watch: 'store',
  world: 'tenants',
};

function isOverridden(name: string, { flag, variable }: Member, { given, environment }: Settings): boolean {
  const isGiven = (one: string | undefined) => one !== undefined && given.text(one) !== undefined;
  if (isGiven(flag) || isGiven(rivals[name])) return true;
  return Boolean(variable && (environment[variable] || environment[`${variable}_FILE`]));
}

/** Paths are relative to the file. */
function resolvePath(text: string, { kind }: Member, { file }: Config): string {
  const fromHere = (path: string) =>
    isAbsolute(path) ? path : relative(process.cwd(), resolve(dirname(file), path));
  if (kind === 'path') return fromHere(text);
  if (kind === 'store')
    return text.replace(/^file:(?!\/)(.+)$/s, (_, path: string) => `file:${fromHere(path)}`);
  if (kind !== 'profile') return text;
  const path = fromHere(text);
  const isName = /^[\w-]+$/.test(text) && !existsSync(path);
  return isName ? text : path;
}

function withDefaults(given: Given, flags: Readonly<Record<string, readonly string[]>>): Given {
  return {
    ...given,
    text: (name) => given.text(name) ?? flags[name]?.at(-1),
    list: (name) => (given.text(name) === undefined ? [...(flags[name] ?? [])] : given.list(name)),
    switched: (name) => given.switched(name) || flags[name]?.at(-1) === 'true',
  };
}

export function withoutFlags(given: Given, names: readonly string[]): Given {
  const isLeft = (name: string) => !names.includes(name);
  return {
    ...given,
    text: (name) => (isLeft(name) ? given.text(name) : undefined),
    isRepeated: (name) => isLeft(name) && given.isRepeated(name),
    list: (name) => (isLeft(name) ? given.list(name) : []),
    switched: (name) => isLeft(name) && given.switched(name),
    spoken: given.spoken.filter(isLeft),
  };
}
