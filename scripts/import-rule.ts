// The import rule: the room tables of CONTRIBUTING.md as data, and what breaks them.
import { basename, dirname, join } from 'node:path/posix';
import ts from 'typescript';

export interface Room {
  /** A folder, or a file that stands alone, relative to the root of the repository. */
  path: string;
  /** What it may import besides itself: rooms, or folders of rooms. All of these stand above it. */
  imports: readonly string[];
  /** What it may import types of, and nothing else. */
  types?: readonly string[];
}

/** A room of a table: its name in the folder, and the rooms that it may import. `above`: all that stand above it. */
type Row = readonly [name: string, imports: 'above' | readonly string[]];

const mockRooms: readonly Row[] = [
  ['world', []],
  ['http', ['world']],
  ['clock', ['world']],
  ['metrics', []],
  ['store', ['world', 'http', 'clock', 'metrics']],
  ['world-file', ['world']],
  ['console', ['http']],
  ['tls', []],
  ['webhooks', ['world', 'clock']],
  ['variations', ['world', 'http', 'clock', 'webhooks']],
  ['inbox', ['world', 'http', 'clock', 'webhooks']],
  ['service.ts', ['world', 'http', 'clock', 'metrics', 'store', 'webhooks', 'variations']],
  ['operations', ['world', 'http', 'clock', 'webhooks', 'service.ts']],
  ['request', ['world', 'http', 'store', 'service.ts']],
  ['docs-site', ['world', 'http', 'webhooks', 'request']],
  ['faults', ['world', 'http', 'webhooks', 'service.ts', 'operations', 'request']],
  ['control', ['world', 'http', 'clock', 'store', 'webhooks', 'inbox', 'service.ts', 'request', 'faults']],
  ['worlds', ['world', 'http', 'store', 'service.ts', 'request', 'control']],
  ['server', 'above'],
  ['start.ts', 'above'],
  ['embed', 'above'],
];

const beforeCalls = ['core', 'redaction', 'deployment', 'push-receiver', 'context.ts', 'check.ts'];
const beforeTopics = [...beforeCalls, 'calls', 'subscriptions', 'credentials', 'events'];

const beforeDiscover = [...beforeCalls, 'calls', 'subscriptions', 'findings', 'learn'];

/** Each imports what stands above it here; `discover` itself has the steps in their order. */
const discoverRooms: readonly Row[] = [
  ...['options.ts', 'probe.ts', 'ask', 'tries', 'names', 'session'],
  ...['subscription', 'pushes', 'writes', 'errors', '.'],
].map((name, index, all) => [
  join('discover', name),
  [...beforeDiscover, ...all.slice(0, index).map((above) => join('discover', above))],
]);

const suiteRooms: readonly Row[] = [
  ['core', []],
  ['redaction', ['core']],
  ['deployment', ['core', 'redaction']],
  ['reports', ['core', 'redaction', 'deployment']],
  ['push-receiver', ['core', 'deployment']],
  ['context.ts', ['core', 'redaction', 'deployment', 'push-receiver']],
  ['check.ts', ['core', 'context.ts']],
  ['calls', beforeCalls],
  ['subscriptions', ['core', 'push-receiver', 'context.ts', 'calls']],
  ['credentials', ['core', 'context.ts', 'check.ts', 'calls', 'subscriptions']],
  ['events', ['core', 'deployment', 'push-receiver', 'context.ts', 'calls', 'subscriptions']],
  ['checks/sessions', beforeTopics],
  ['checks/authentication', beforeTopics],
  ['checks/pushes', beforeTopics],
  ['checks/subscriptions', [...beforeTopics, 'checks/pushes']],
  ['checks/retries', [...beforeTopics, 'checks/pushes']],
  ['checks/limits', beforeTopics],
  ['checks/idempotency', beforeTopics],
  ['checks/envelope', beforeTopics],
  ['checks/generated-cases', [...beforeTopics, 'checks/sessions']],
  ['checks', 'above'],
  ['run', 'above'],
  ['findings', [...beforeCalls, 'calls', 'subscriptions']],
  ['learn', [...beforeCalls, 'calls', 'subscriptions', 'findings']],
  ...discoverRooms,
  ['test-receiver', ['core', 'redaction', 'deployment', 'reports']],
];

const scriptRooms: readonly Row[] = [
  ['programs.mjs', []],
  ['install.mjs', ['programs.mjs']],
  ['node24.mjs', ['programs.mjs', 'install.mjs']],
  ['setup.mjs', ['programs.mjs', 'install.mjs', 'node24.mjs']],
  ['prepare.mjs', ['programs.mjs', 'install.mjs', 'node24.mjs']],
  ['screen', []],
  ['options', ['screen']],
  ['generate', ['options']],
  ['receiver', ['options']],
  ['output', ['screen', 'options']],
  ['steer', ['screen', 'options', 'receiver', 'output']],
  ['commands', ['screen', 'options', 'generate', 'receiver', 'output', 'steer']],
  ['mcp', ['screen', 'options', 'output', 'steer', 'commands']],
  ['prove', ['options', 'output']],
  ['pictures', []],
  ['bench', ['options']],
  ['vitest.ts', ['options', 'output', 'commands']],
  ['command-line.ts', ['options', 'steer', 'commands', 'mcp']],
  ['cli.ts', ['screen', 'command-line.ts']],
  ['sitepub.mjs', ['programs.mjs', 'node24.mjs', 'cli.ts']],
  ['bundle.ts', []],
  ['drop-declarations.ts', []],
  ['build.ts', ['bundle.ts', 'drop-declarations.ts']],
  ['longest-first.ts', []],
  ['tally-reporter.ts', ['longest-first.ts']],
  ['import-rule.ts', []],
];

const suite = suiteRooms.map(([name]) => `contract-tests/${name}`);

/** All tables in one, in order. */
export const rooms: readonly Room[] = [
  { path: 'openapi', imports: [] },
  { path: 'webhooks', imports: [], types: ['openapi'] },
  { path: 'client', imports: ['openapi', 'webhooks'] },
  { path: 'index.ts', imports: ['openapi'] },
  ...inFolder('mock', mockRooms, ['openapi']),
  ...inFolder('contract-tests', suiteRooms, ['openapi']),
  { path: 'contract-tests/documented', imports: ['openapi', 'mock'] },
  { path: 'contract-tests/self', imports: ['openapi', 'mock', 'client', 'webhooks', ...suite] },
  ...inFolder('scripts', scriptRooms, ['openapi', 'client', 'webhooks', 'mock', ...suite]).map(withSelf),
];

function inFolder(folder: string, rows: readonly Row[], outside: readonly string[]): Room[] {
  return rows.map(([name, imports], index) => {
    const inside = imports === 'above' ? rows.slice(0, index).map(([above]) => above) : imports;
    return { path: `${folder}/${name}`, imports: [...outside, ...inside.map((room) => `${folder}/${room}`)] };
  });
}

/** Tools that run the suite against the mock, or start Prism, as its own tests do. */
function withSelf(room: Room): Room {
  const isTool = ['scripts/prove', 'scripts/pictures', 'scripts/bench'].includes(room.path);
  return isTool ? { ...room, imports: [...room.imports, 'contract-tests/self'] } : room;
}

/** The rooms that may import what supports tests: the bench starts a database as they do. */
const usesTests = ['contract-tests/self', 'scripts/bench'];

interface Import {
  target: string;
  isType: boolean;
}

/** The imports of one file, as paths relative to the root; packages are left out. */
export function importsOf(file: string, source: string): Import[] {
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, isType: boolean) => {
    if (specifier && ts.isStringLiteralLike(specifier) && specifier.text.startsWith('.'))
      found.push({ target: join(dirname(file), specifier.text), isType });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeImport(node.importClause));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest));
  return found;
}

function isTypeImport(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const { name, namedBindings } = clause;
  return (
    !name &&
    namedBindings !== undefined &&
    ts.isNamedImports(namedBindings) &&
    namedBindings.elements.length > 0 &&
    namedBindings.elements.every((element) => element.isTypeOnly)
  );
}

/** The imports of one file that break the rule, each in a line. */
export function findForbidden(file: string, imports: readonly Import[]): string[] {
  return imports.filter((one) => !isAllowed(file, one)).map(({ target }) => `${file} imports ${target}`);
}

function isAllowed(file: string, { target, isType }: Import): boolean {
  if (!/\.(ts|mjs)$/.test(target)) return true;
  if (isTestOnly(file)) return isWithinReach(file, target);
  if (isTestOnly(target)) return usesTests.some((room) => liesIn(file, room));
  const from = roomOf(file);
  const to = roomOf(target);
  if (!from || !to) return false;
  const isNamed = (names: readonly string[]) => names.some((name) => liesIn(to.path, name));
  return from === to || isNamed(from.imports) || (isType && isNamed(from.types ?? []));
}

/** What tests use stands in no order. Even so, the tests of the suite know as little of the mock as the suite does. */
function isWithinReach(file: string, target: string): boolean {
  if (/^(scripts|contract-tests\/self)\//.test(file)) return true;
  const [top = ''] = file.split('/');
  const room = roomOf(file);
  if (room?.path === 'contract-tests/documented')
    return [room.path, ...room.imports].some((folder) => liesIn(target, folder));
  return [top, 'openapi'].some((folder) => liesIn(target, folder)) && !liesIn(target, 'contract-tests/self');
}

/** Tests, and what supports them. */
function isTestOnly(file: string): boolean {
  return (
    /\.test\.ts$/.test(file) ||
    basename(file) === 'testing.ts' ||
    dirname(file).split('/').includes('testing')
  );
}

/** The innermost room that a file lies in; undefined for a file that lies in none. */
export function roomOf(file: string): Room | undefined {
  return rooms
    .filter(({ path }) => liesIn(file, path))
    .sort((one, other) => other.path.length - one.path.length)
    .at(0);
}

function liesIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The files that import one another in a loop, types included; each loop once, beginning and ending with the same file. */
export function findLoops(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const loops: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start >= 0) loops.push([...path.slice(start), file]);
    if (start >= 0 || done.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return loops;
}
