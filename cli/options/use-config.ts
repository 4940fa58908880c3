// Adds values of sitepub.config.yaml that neither flags nor variables set.
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { headerVariable } from '../../contract-tests/core/suite-options.ts';
import type { Config } from './config.ts';
import { deploymentMembers, type Member, type Members, mockMembers } from './config-schema.ts';
import { createGiven, type Given, withoutFlags } from './flags.ts';
import { UsageError } from './usage-error.ts';

export const configName = 'sitepub.config.yaml';

/** Throws UsageError. */
async function readConfig({ config: named }: Given): Promise<Config | undefined> {
  const file = named ?? findConfig(process.cwd());
  return file === undefined ? undefined : (await import('./config.ts')).loadConfig(file);
}

/** Searches the folder, and inside a repository also its parents up to the root. Files above a repository may belong to another user. */
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

/** Adds the deployment that the argument names, unless the argument is a URL. Throws UsageError. */
export async function useDeployment(
  given: Given,
  isWanted: (member: string) => boolean = () => true,
): Promise<Given> {
  const [word] = given.words;
  if (word === undefined || /^https?:/i.test(word)) return given;
  const { file, entries } = await findDeployment(given, word);
  return withDeployment(given, { file, entries: entries.filter(({ name }) => isWanted(name)) });
}

/** Uses only the file: ignores flags of deployments and SITEPUB_ variables. */
export async function useFileOnly(given: Given, name: string): Promise<Given> {
  const found = await findDeployment(given, name);
  const others = Object.entries(given.environment).filter(([variable]) => !variable.startsWith('SITEPUB_'));
  const flags = Object.values(deploymentMembers).flatMap(({ flag }) => flag ?? []);
  const rest = withoutFlags(given, [...flags, 'base-url', 'header', 'journal', 'compare']);
  return withDeployment({ ...rest, environment: Object.fromEntries(others) }, found, given.environment);
}

/** Adds the deployment with this URL, if the file has one. Throws UsageError. */
export async function useDeploymentAt(given: Given, url: string): Promise<Given> {
  const config = await readConfig(given);
  const isThere = ({ name, texts: [text = ''] }: Entries[number]) =>
    name === 'url' && text.replace(/\/+$/, '') === url;
  const entries = Object.values(config?.deployments ?? {}).find((one) => one.some(isThere));
  return config && entries ? withDeployment(given, { file: config.file, entries }) : given;
}

/** Adds the defaults of the mock. Throws UsageError. */
export async function useMock(given: Given, except: readonly string[] = []): Promise<Given> {
  const config = await readConfig(given);
  if (!config) return given;
  const entries = config.mock.filter(({ name }) => !except.includes(name));
  return fill(given, { file: config.file, entries }, mockMembers);
}

type Entries = Config['mock'];

interface Part {
  file: string;
  entries: Entries;
}

/** The message does not repeat the word, because it may be a secret. */
async function findDeployment(given: Given, word: string): Promise<Part> {
  const config = await readConfig(given);
  const advice = 'a URL starts with http:// or https://';
  if (!config)
    throw new UsageError(
      `the argument is not a URL, and there is no ${configName} with named deployments; ${advice}`,
    );
  const entries = Object.hasOwn(config.deployments, word) ? config.deployments[word] : undefined;
  if (entries) return { file: config.file, entries };
  const names = Object.keys(config.deployments);
  throw new UsageError(
    `${config.file} has no deployment with that name; the names are ${names.join(', ') || 'none'}, and ${advice}`,
  );
}

function withDeployment(given: Given, part: Part, variables = given.environment): Given {
  const headers = part.entries.flatMap(({ name }) => /^headers\.(.*)/.exec(name)?.[1] ?? []);
  const values = headers.map((name): [string, Member] => [
    `headers.${name}`,
    { variable: headerVariable(name), schema: {} },
  ]);
  const members = { ...deploymentMembers, ...Object.fromEntries(values) };
  const { texts, ...rest } = fill(given, part, members, variables);
  // Headers of the file and of the command line are all sent.
  const header = [...headers, ...(texts.header ?? [])];
  return createGiven({ ...rest, texts: { ...texts, header }, words: texts.url ?? [] });
}

/** Adds a part of the file. `variables`: the values for `${VARIABLE}`. */
function fill(given: Given, { file, entries }: Part, members: Members, variables = given.environment): Given {
  const texts: Record<string, readonly string[]> = {};
  const environment: Record<string, string> = {};
  const unset: string[] = [];
  for (const { name, texts: written, line } of entries) {
    const member = members[name];
    if (!member || isOverridden(name, member, given)) continue;
    const resolved = written.map((text) =>
      resolvePath(
        text.replaceAll(/\$\{([A-Za-z_]\w*)\}/g, (_, variable: string) => {
          if (!variables[variable]) unset.push(`${file}:${line}: the variable ${variable} is not set`);
          return variables[variable] ?? '';
        }),
        member,
        file,
      ),
    );
    if (member.flag !== undefined) texts[member.flag] = resolved;
    else if (member.variable !== undefined) environment[member.variable] = resolved.join();
  }
  if (unset.length > 0) throw new UsageError(unset.join('\n'));
  return createGiven({
    ...given,
    texts: { ...texts, ...given.texts },
    environment: { ...given.environment, ...environment },
  });
}

/** Ignores the left flag in the file if the command line has the right one, because they exclude each other. */
const rivals: Readonly<Record<string, string>> = {
  baseline: 'compare',
  log: 'quiet',
  quiet: 'log',
  store: 'watch',
  tenants: 'world',
  watch: 'store',
  world: 'tenants',
};

function isOverridden(name: string, { flag, variable }: Member, { text, environment }: Given): boolean {
  const isGiven = (one: string | undefined) => one !== undefined && text(one) !== undefined;
  if (isGiven(flag) || isGiven(rivals[name])) return true;
  return Boolean(variable && (environment[variable] || environment[`${variable}_FILE`]));
}

/** Paths are relative to the file. */
function resolvePath(text: string, { pathKind }: Member, file: string): string {
  const fromHere = (path: string) =>
    isAbsolute(path) ? path : relative(process.cwd(), resolve(dirname(file), path));
  if (pathKind === 'path') return fromHere(text);
  if (pathKind === 'store')
    return text.replace(/^file:(?!\/)(.+)$/s, (_, path: string) => `file:${fromHere(path)}`);
  if (pathKind !== 'profile') return text;
  const path = fromHere(text);
  const isName = /^[\w-]+$/.test(text) && !existsSync(path);
  return isName ? text : path;
}
