// The import rule: the room tables of CONTRIBUTING.md as data, and a check of imports.
import { dirname, join } from 'node:path/posix';

export interface Room {
  /** A folder or file, relative to the root of the repository. */
  path: string;
  /** Rooms, or folders of rooms, that it may import. All of them come before it. */
  imports: readonly string[];
}

/** Rooms in a folder, and what each may import; `above`: all rooms before it. */
type Row = readonly [names: string, imports: string];

const mockRooms: readonly Row[] = [
  ['world metrics tls', ''],
  ['http clock world-file', 'world'],
  ['console', 'http'],
  ['store', 'world http clock metrics'],
  ['webhooks', 'world clock'],
  ['variations inbox', 'world http clock webhooks'],
  ['service.ts', 'world http clock metrics store webhooks variations'],
  ['operations', 'world http clock webhooks service.ts'],
  ['request', 'world http store service.ts'],
  ['docs-site', 'world http webhooks request'],
  ['faults', 'world http webhooks service.ts operations request'],
  ['control', 'world http clock store webhooks inbox service.ts request faults'],
  ['worlds', 'world http store service.ts request control'],
  ['server start.ts embed', 'above'],
];

const beforeCalls = 'core redaction deployment push-receiver context.ts check.ts';
const beforeFindings = `${beforeCalls} calls subscriptions`;
const beforeTopics = `${beforeFindings} credentials events`;

const suiteRooms: readonly Row[] = [
  ['core redaction deployment reports', 'above'],
  ['push-receiver', 'core deployment'],
  ['context.ts', 'core redaction deployment push-receiver'],
  ['check.ts', 'core context.ts'],
  ['calls', beforeCalls],
  ['subscriptions', 'core push-receiver context.ts calls'],
  ['credentials', 'core context.ts check.ts calls subscriptions'],
  ['events', 'core deployment push-receiver context.ts calls subscriptions'],
  ['checks/sessions checks/authentication checks/pushes checks/limits', beforeTopics],
  ['checks/idempotency checks/envelope', beforeTopics],
  ['checks/subscriptions checks/retries', `${beforeTopics} checks/pushes`],
  ['checks/generated-cases', `${beforeTopics} checks/sessions`],
  ['checks run', 'above'],
  ['findings', beforeFindings],
  ['learn', `${beforeFindings} findings`],
  ['test-receiver', 'core redaction deployment reports'],
];

/** The steps of a discovery, in order. */
const discoverRooms: readonly Row[] = [
  ['options.ts probe.ts ask tries names session subscription pushes writes errors .', 'above'],
];

/** Plain JavaScript, for any Node. */
const setUpRooms: readonly Row[] = [['programs.mjs install.mjs node24.mjs setup.mjs prepare.mjs', 'above']];

const commandRooms: readonly Row[] = [
  ['screen types', ''],
  ['options', 'screen'],
  ['receiver', 'options'],
  ['output', 'screen options'],
  ['steer', 'screen options receiver output'],
  ['commands', 'screen types options receiver output steer'],
  ['mcp', 'screen options output steer commands'],
  ['vitest.ts', 'options output commands'],
  ['program', 'options steer commands mcp'],
  ['cli.ts', 'screen program'],
  // In a checkout, the command looks for Node 24.
  ['sitepub.mjs', 'cli.ts ../scripts/programs.mjs ../scripts/node24.mjs'],
];

const scriptRooms: readonly Row[] = [
  ['generate', '../cli/options ../cli/types ../cli/program ../contract-tests/self'],
  ['prove pictures bench', '../contract-tests/self'],
  ['bundle.ts import-rule.ts', ''],
  ['build.ts', 'bundle.ts'],
];

const beforeDiscover = `${beforeFindings} findings learn`.split(' ').map((name) => `contract-tests/${name}`);

const suite = [
  ...roomsIn('contract-tests', ['openapi'], suiteRooms),
  ...roomsIn('contract-tests/discover', ['openapi', ...beforeDiscover], discoverRooms),
];
const below = ['openapi', 'client', 'webhooks', 'mock', ...suite.map(({ path }) => path)];

export const rooms: readonly Room[] = [
  { path: 'openapi', imports: [] },
  { path: 'webhooks', imports: [] },
  { path: 'client', imports: ['openapi', 'webhooks'] },
  { path: 'index.ts', imports: ['openapi'] },
  ...roomsIn('mock', ['openapi'], mockRooms),
  ...suite,
  { path: 'contract-tests/documented', imports: ['openapi', 'mock'] },
  { path: 'contract-tests/self', imports: below },
  ...roomsIn('scripts', [], setUpRooms),
  ...roomsIn('cli', below, commandRooms),
  ...roomsIn('scripts', below, scriptRooms),
];

function roomsIn(folder: string, outside: readonly string[], rows: readonly Row[]): Room[] {
  const pairs = rows.flatMap(([names, imports]) => names.split(' ').map((name) => [name, imports] as const));
  return pairs.map(([name, imports], index) => {
    const above = pairs.slice(0, index).map(([each]) => each);
    const inside = imports === 'above' ? above : (imports.match(/\S+/g) ?? []);
    return { path: join(folder, name), imports: [...outside, ...inside.map((each) => join(folder, each))] };
  });
}

/** Statements start a line; `import(…)` may be anywhere except in a comment. */
const importing =
  /^(?:import|export)(?<type> type)?\b(?:[^'"`;=(]*\bfrom)? *'(?<named>\.[^']+)'|(?<!^ *(?:\/\/|\*).*)\bimport\(\s*'(?<called>\.[^']+)'/gm;

/** One line for each forbidden import. */
export function findForbidden(file: string, source: string): string[] {
  return [...source.matchAll(importing)].flatMap(({ groups: { type, named, called } = {} }) => {
    const target = join(dirname(file), String(named ?? called));
    return isAllowed(file, target, type !== undefined) ? [] : [`${file} imports ${target}`];
  });
}

function isAllowed(file: string, target: string, isType: boolean): boolean {
  if (!/\.(ts|mjs)$/.test(target)) return true;
  if (isTestOnly(file)) return isWithinReach(file, target);
  // The benchmark starts a database, and the pictures a browser, as tests do.
  if (isTestOnly(target)) return /^(contract-tests\/self|scripts\/(bench|pictures))\//.test(file);
  const from = roomOf(file);
  const to = roomOf(target);
  if (!from || !to) return false;
  // Receivers use only types of the description.
  if (from.path === 'webhooks' && to.path === 'openapi') return isType;
  return from === to || from.imports.some((name) => liesIn(to.path, name));
}

/** Tests follow no order, but tests of the suite must not import the mock either. */
function isWithinReach(file: string, target: string): boolean {
  if (/^(cli|scripts|contract-tests\/self)\//.test(file)) return true;
  if (liesIn(file, 'contract-tests/documented'))
    return /^(openapi|mock|contract-tests\/documented)\//.test(target);
  const [top = ''] = file.split('/');
  return [top, 'openapi'].some((folder) => liesIn(target, folder)) && !liesIn(target, 'contract-tests/self');
}

function isTestOnly(file: string): boolean {
  return /\.test\.ts$|(^|\/)testing(\.ts$|\/)/.test(file);
}

/** The innermost room of a file. */
export function roomOf(file: string): Room | undefined {
  const around = rooms.filter(({ path }) => liesIn(file, path));
  return around.toSorted((one, other) => other.path.length - one.path.length).at(0);
}

function liesIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
