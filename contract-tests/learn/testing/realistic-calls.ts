// Draws how a deployment offers the operations that are not documented, by habits that all of them share.
import type { Json } from '../../../openapi/json.ts';
import type { Random } from '../../../openapi/random-profile.ts';
import { findGap } from '../../../openapi/registers.ts';
import { placeholdersOf } from '../../../openapi/template.ts';
import { plural } from './naming.ts';
import { type Noun, type Shape, shapes } from './realistic-shapes.ts';

export interface Habits {
  random: Random;
  spell: (name: string) => string;
  /** Methods and resources, or POST to paths that end in a verb. */
  paths: 'resources' | 'verbs';
  /** How segments of paths are spelt. */
  segment: (name: string) => string;
  nouns: Readonly<Record<Noun, string>>;
  /** Whether identifiers are called "id" or by what they identify. */
  idStyle: 'plain' | 'noun';
  /** What the values of an answer stand in, within its data. */
  wrapper: string | undefined;
  /** The status of creations. */
  created: number;
  /** How pages of lists are asked for. */
  paging: readonly string[];
  keysAuth: 'bearer' | 'session';
}

/** How one operation is called, and where its answer has its values. */
export function drawCall(gap: string, habits: Habits): Json {
  const shape = shapes[gap.slice('operation.'.length)];
  if (!shape) throw new Error(`${gap} has no shape to draw from; add one`);
  const called = habits.paths === 'verbs' ? byVerb(shape, habits) : byResource(shape, habits);
  const isOpen = ['submit-form', 'create-comment'].some((name) => gap.endsWith(name));
  const isCreation = shape.verb === 'create' || shape.verb === 'import';
  const answer = placesOf(gap, shape, habits);
  const asked = gap.startsWith('operation.list-') ? drawPages(called, habits) : called;
  return {
    ...asked,
    ...(isOpen && { auth: 'none' }),
    ...(shape.noun === 'key' && { auth: habits.keysAuth }),
    ...(isCreation && { status: habits.created }),
    ...answer,
    ...(placeholdersOf([asked.query, asked.body]).includes('cursor') && {
      next: `/data/${habits.spell('next cursor')}`,
    }),
  };
}

interface Called extends Json {
  method: string;
  path: string;
  query?: Json;
  body?: Json;
}

function byResource({ method, path, body = [] }: Shape, habits: Habits): Called {
  const named = path.replace(/<(\w+)>/g, (_text, nouns: string) =>
    habits.segment(plural(nounOf(nouns, habits))),
  );
  return { method, path: named, ...(body.length > 0 && { body: bodyOf(body, habits) }) };
}

function byVerb({ noun, verb, path, body = [] }: Shape, habits: Habits): Called {
  const { segment, nouns } = habits;
  const root = path.startsWith('/tenant') ? '/tenant' : '';
  const identifiers = placeholdersOf(path);
  const members = [...identifiers, ...body];
  const called = { method: 'POST', path: `${root}/${segment(nouns[noun])}/${segment(verb)}` };
  return members.length > 0 ? { ...called, body: bodyOf(members, habits) } : called;
}

function nounOf(nouns: string, { nouns: names }: Habits): string {
  const found: Readonly<Record<string, Noun>> = {
    ...{
      sites: 'site',
      contents: 'content',
      keys: 'key',
      hooks: 'hook',
      deliveries: 'delivery',
      forms: 'form',
      comments: 'comment',
    },
  };
  const noun = found[nouns];
  return noun === undefined ? nouns : names[noun];
}

function bodyOf(members: readonly string[], habits: Habits): Json {
  return Object.fromEntries(members.map((member) => [nameOf(member, habits), `{${member}}`]));
}

/** What a value is called in bodies, in queries and in answers. */
function nameOf(member: string, { spell, nouns }: Habits): string {
  const ids: Readonly<Record<string, string>> = {
    ...{
      siteID: `${nouns.site} id`,
      contentID: `${nouns.content} id`,
      keyID: `${nouns.key} id`,
      subscriptionID: `${nouns.hook} id`,
    },
  };
  return spell(ids[member] ?? names[member] ?? member);
}

const names: Readonly<Record<string, string>> = {
  ...{
    source: 'source url',
    note: 'remark',
    text: 'text',
    form: 'form name',
    created_at: 'created at',
    at: 'created at',
  },
  ...{ updated_at: 'updated at', next_attempt_at: 'next attempt at', page_size: 'page size', url: 'url' },
};

function placesOf(gap: string, { noun }: Shape, habits: Habits): Json {
  const { random, spell, wrapper, idStyle, nouns } = habits;
  const own = idStyle === 'plain' ? 'id' : `${gap.includes('subm') ? 'submission' : nouns[noun]} id`;
  const name = (read: string) => (read === 'id' ? spell(own) : nameOf(read, habits));
  const places = (findGap(gap)?.reads ?? []).flatMap((read): [string, string][] => {
    if (read === 'next') return [];
    if (read === 'list' || read === 'total') return [[read, `/data/${read}`]];
    if (read.startsWith('item.')) return [[read, `/${name(read.slice('item.'.length))}`]];
    if (gap === 'operation.ai') return [[read, `/data/${spell('result text')}`]];
    return [[read, `/data/${wrapper ? `${wrapper}/` : ''}${name(read)}`]];
  });
  return Object.fromEntries(
    places.filter(([read]) => ['id', 'version', 'key', 'item.id'].includes(read) || random.chance(0.85)),
  );
}

function drawPages(called: Called, { paging, random, spell }: Habits): Called {
  if (paging.length === 0 || random.chance(0.15)) return called;
  const asked = Object.fromEntries(paging.map((name) => [spell(name.replace('_', ' ')), `{${name}}`]));
  if (called.method === 'GET') return { ...called, query: asked };
  return { ...called, body: { ...called.body, ...asked } };
}
