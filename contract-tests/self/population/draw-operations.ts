// Draws the undocumented operations of a deployment: callable and distinct.
import type { Json } from '../../../openapi/json.ts';
import { formatPointer } from '../../../openapi/json-pointer.ts';
import { gapValue, loadProfile } from '../../../openapi/profile.ts';
import type { Gap } from '../../../openapi/registers.ts';
import { placeholdersOf } from '../../../openapi/template.ts';
import type { Random } from '../../../openapi/testing/random-profile.ts';
import { drawBody, drawPointers } from './draw-bodies.ts';
import { createNamer, type Style } from './draw-names.ts';

/** Common traits of the operations of one deployment. */
export interface Habits {
  style: Style;
  random: Random;
  /** Resources with meaningful methods, or a verb for each operation. */
  paths: 'resources' | 'verbs';
  prefix: string;
  nouns: Readonly<Record<string, string>>;
}

interface Shape {
  method: string;
  path: string;
  isOpen: boolean;
}

const byDefault = loadProfile('default');

/** The placeholders that a deployment may leave out of an operation. */
const optional: Readonly<Record<string, readonly string[]>> = {
  'publish-site': ['note'],
  'fail-publish': ['note'],
  ai: ['siteID'],
  'create-key': ['name'],
  'create-content': ['text'],
  'update-content': ['text'],
  'submit-form': ['form', 'fields'],
  'create-comment': ['author'],
  'delete-subscription': ['siteID'],
  'list-deliveries': ['siteID'],
};

/** The method and path that the default profile has. */
function shapeOf(gap: Gap): Shape {
  const { method, path, auth } = gapValue(byDefault, gap.id) as {
    method: string;
    path: string;
    auth: string;
  };
  return { method, path, isOpen: auth === 'none' };
}

/** Long texts and values that are not texts. */
const onlyInBodies = ['text', 'title', 'prompt', 'source', 'fields', 'author'];

const synonyms: Readonly<Record<string, readonly string[]>> = {
  sites: ['sites', 'projects', 'web-sites', 's'],
  contents: ['contents', 'articles', 'cms.items'],
  webhooks: ['webhooks', 'hooks', 'push:subscriptions'],
  keys: ['keys', 'api-keys', 'credentials'],
  forms: ['forms', 'f'],
  comments: ['comments', 'replies'],
  publish: ['publish', 'releases', 'actions:publish'],
  deliveries: ['deliveries', 'push-log', 'log.d'],
};

export function drawHabits(style: Style, random: Random): Habits {
  const nouns = Object.entries(synonyms).map(([noun, names]) => [noun, random.pick(names)]);
  return {
    style,
    random,
    paths: random.pick(['resources', 'verbs'] as const),
    prefix: random.pick(['tenant', 'console/v2', 't.x', 'open:api', 'Tenant']),
    nouns: Object.fromEntries(nouns),
  };
}

export function drawCall(gap: Gap, habits: Habits): Json {
  const name = gap.id.slice('operation.'.length);
  const shape = shapeOf(gap);
  const given = (gap.placeholders ?? []).filter(
    (one) => !optional[name]?.includes(one) || habits.random.chance(0.85),
  );
  const called = habits.paths === 'verbs' ? byVerb(name, given, habits) : byResource(shape, given, habits);
  return drawPages(gap, { ...called, ...drawAuth(shape, habits), ...drawRest(gap, habits) }, habits);
}

interface Called {
  method: string;
  path: string;
  body?: Json;
}

function byResource({ method, path }: Shape, given: readonly string[], habits: Habits): Called {
  const { random, nouns, prefix } = habits;
  const missing = placeholdersOf(path).filter((name) => !given.includes(name));
  const segments = path
    .slice(1)
    .split('/')
    .filter((segment) => !missing.some((name) => segment === `{${name}}`))
    .map((segment) => nouns[segment] ?? (segment === 'tenant' ? prefix : segment));
  const other = method === 'PUT' ? random.pick(['PUT', 'PATCH', 'POST']) : method;
  return withBody({ method: other, path: `/${segments.join('/')}` }, given, habits);
}

function byVerb(name: string, given: readonly string[], habits: Habits): Called {
  const { random, prefix } = habits;
  const verb = random.pick([name, name.replaceAll('-', '_'), name.replaceAll('-', '.'), `${name}.do`]);
  const inPath = given.filter((one) => !onlyInBodies.includes(one) && random.chance(0.4));
  const path = [
    `/${prefix}`,
    verb,
    ...inPath.map((one) => random.pick([`{${one}}`, `by-{${one}}`, `x/{${one}}`])),
  ];
  const isRead = given.length === inPath.length && random.chance(0.5);
  const method = isRead ? 'GET' : random.pick(['POST', 'POST', 'PUT', 'PATCH', 'DELETE']);
  return withBody({ method, path: path.join('/') }, given, habits);
}

/** Puts the remaining placeholders into the body; some operations have a constant body. */
function withBody(called: Called, given: readonly string[], habits: Habits): Called {
  const rest = given.filter((name) => !placeholdersOf(called.path).includes(name));
  const isBare = rest.length === 0 && (called.method === 'GET' || habits.random.chance(0.85));
  if (isBare) return called;
  const method = called.method === 'GET' ? 'POST' : called.method;
  return { ...called, method, body: drawBody(rest, habits) };
}

function drawAuth({ isOpen }: Shape, { random }: Habits): { auth?: 'bearer' | 'none' } {
  if (random.chance(0.25)) return {};
  return { auth: isOpen && random.chance(0.8) ? 'none' : 'bearer' };
}

/** Status and pointers. */
function drawRest({ reads = [] }: Gap, habits: Habits): Json {
  const { random } = habits;
  const shown = (names: readonly string[]) => names.filter(() => random.chance(0.85));
  const promised = reads.filter((name) => ['list', 'total'].includes(name));
  const inItems = reads.filter((name) => name.startsWith('item.'));
  const others = reads.filter((name) => ![...promised, ...inItems, 'next'].includes(name));
  return {
    ...(random.chance(0.4) && { status: random.pick([200, 201, 202, 203, 299]) }),
    // Section 2.1 fixes these pointers.
    ...Object.fromEntries(shown(promised).map((name) => [name, `/data/${name}`])),
    ...drawPointers(shown(others), { ...habits, root: ['data'] }),
    ...itemPointers(shown(inItems), habits),
  };
}

function itemPointers(reads: readonly string[], habits: Habits): Record<string, string> {
  const values = reads.map((name) => name.slice('item.'.length));
  const pointers = drawPointers(values, { ...habits, root: [] });
  return Object.fromEntries(Object.entries(pointers).map(([name, pointer]) => [`item.${name}`, pointer]));
}

const pagings = [
  ['page'],
  ['page', 'page_size'],
  ['offset', 'limit'],
  ['offset'],
  ['cursor'],
  ['cursor', 'limit'],
];

/** Adds pages of a list to the query, or to the body of a list call that has one. */
function drawPages({ query = [] }: Gap, call: Json, { style, random }: Habits): Json {
  if (query.length === 0 || random.chance(0.4)) return call;
  const namer = createNamer(style, random);
  const paging = random.pick(pagings);
  const asked = Object.fromEntries(paging.map((name) => [namer.name(name), `{${name}}`]));
  const next = paging.includes('cursor') && {
    next: formatPointer(['data', namer.name('page'), namer.name('next')]),
  };
  const isInBody = call.method !== 'GET' && random.chance(0.5);
  const stated = (call.body ?? {}) as Json;
  return { ...call, ...next, ...(isInBody ? { body: { ...asked, ...stated } } : { query: asked }) };
}
