// Properties of every profile, tested for the packaged ones and an unusual one, and each night for many random ones.
import { beforeAll, describe, expect, test } from 'vitest';
import { addExamples, idIn, stateIn } from './add-examples.ts';
import { examplesOf, mediaTypeOf } from './description.ts';
import { codeOf, codesOf } from './error-codes.ts';
import type { Json } from './json.ts';
import { formatPointer, getAt } from './json-pointer.ts';
import {
  type Operation,
  operationsOf,
  readLayout,
  readQuery,
  readRequest,
  writeLayout,
  writeQuery,
  writeRequest,
} from './operations.ts';
import { gapValue, loadProfile, makeProfile, type Profile } from './profile.ts';
import { findGap, gaps, idsOf } from './registers.ts';
import { operationObjects, resolve } from './resolve.ts';
import { samplesFor } from './samples.ts';
import { readCall } from './stated-call.ts';
import { fillTemplate, placeholdersOf, slotsOf, type Template } from './template.ts';
import { profileNames } from './testing/profile-names.ts';
import { randomProfile } from './testing/random-profile.ts';
import { createValidator } from './validate.ts';

type Values = Readonly<Record<string, unknown>>;

/** Has what no packaged profile has: values and fields that exchange places, and constants of every kind. */
const odd = {
  'login.token': '/session/0/token',
  'login.expires-in': '/data/__proto__/constructor',
  'refresh.request': { old: '{token}', grant: 'renew' },
  'subscription.request.url': 'events',
  'subscription.request.events': 'url',
  'subscription.request.secret': '0',
  'subscription.response.id': '/data/url',
  'subscription.response.url': '/data/id',
  'operation.create-site': {
    method: 'PUT',
    path: '/sites',
    body: { a: {}, b: [], c: null, d: 5, e: 'x', f: '{not one}', g: [{ h: '{name}' }, '{name}', 'x-{name}'] },
  },
};

describe.each(profileNames)('under %s', (name) => holdsUnder(() => loadProfile(name)));
describe('under an odd profile', () => holdsUnder(() => makeProfile(odd, { name: 'odd', source: 'odd' })));

const nightly = { tags: ['nightly'] };
const seeds = Array.from({ length: 100 }, (_, seed) => seed);

describe.each(seeds)('under the random profile %i', nightly, (seed) => holdsUnder(() => randomProfile(seed)));

test('the same seed draws the same random profile, and another seed another one', nightly, () => {
  expect(randomProfile(7)).toEqual(randomProfile(7));
  expect(randomProfile(7).values).not.toEqual(randomProfile(8).values);
});

test('some random profiles state each gap, and some omit it', nightly, () => {
  const all = seeds.map(randomProfile);
  const countOf = (id: string) => all.filter(({ stated }) => stated.has(id)).length;
  expect(gaps.filter(({ id }) => [0, all.length].includes(countOf(id)))).toEqual([]);
});

function derive(profile: Profile) {
  const description = resolve(profile);
  const operations = operationsOf(description);
  return {
    profile,
    description,
    operations,
    validate: createValidator(description),
    sent: { ...samplesFor(profile).sent, page: 3, page_size: 50, offset: 40, limit: 20, cursor: 'c2' },
  };
}

function holdsUnder(open: () => Profile): void {
  let under: ReturnType<typeof derive>;
  beforeAll(() => {
    under = derive(open());
  });

  test('calls the documented and stated operations as the profile states', () => {
    const { operations, profile } = under;
    const { values } = profile;
    const stated = idsOf('operation').flatMap((gap) => {
      const call = readCall(gapValue(profile, gap));
      return call ? [[gap, call.method, call.path, call.status ?? 200, call.body, call.query]] : [];
    });
    const credentials = { username: '{username}', password: '{password}' };
    const bodyOf = (gap: 'refresh.request' | 'hook-test.request') =>
      values[gap] === 'none' ? undefined : values[gap];
    const refresh = bodyOf('refresh.request');
    const hookTest = bodyOf('hook-test.request');
    const names = ['url', 'events', 'channel', 'secret'] as const;
    const fields = names.map((name) => [values[`subscription.request.${name}`], `{${name}}`]);
    const hooks = '/tenant/sites/{siteID}/webhooks';
    const documented = [
      ['login', 'POST', '/auth/tenant/login', values['login.status'], credentials, {}],
      ['refresh', 'POST', '/auth/refresh', values['refresh.status'], refresh, {}],
      ['createSubscription', 'POST', hooks, values['subscription.status'], Object.fromEntries(fields), {}],
      ['testSubscription', 'POST', `${hooks}/{id}/test`, values['hook-test.status'], hookTest, {}],
    ];
    expect(operations.map(callOf).toSorted()).toEqual([...documented, ...stated].toSorted());
  });

  test('each placeholder of a path has a schema', () => {
    const { description, operations } = under;
    for (const { id, path, parameters } of operations) {
      expect(parameters.map(({ name }) => name).toSorted(), id).toEqual(placeholdersOf(path).toSorted());
      for (const { schema } of parameters) expect(getAt(description, schema), id).toBeDefined();
    }
  });

  test('answers have their values at the stated places', () => {
    for (const one of under.operations) {
      const { values, items } = one.success.layout;
      const ofItems = Object.entries(items).map(([name, path]) => [`item.${name}`, path] as const);
      const places = [...Object.entries(values), ...ofItems];
      const found = places.map(([name, path]) => [name, formatPointer(path)]);
      expect(Object.fromEntries(found), one.id).toEqual(placesStated(one, under.profile));
    }
  });

  test('fills every mark', () => {
    expect(marksLeft(under.description, under.profile)).toEqual([]);
  });

  test('reads requests as written', () => {
    const { operations, sent, validate } = under;
    for (const operation of operations) {
      const { id, request, query = [] } = operation;
      const body: unknown = JSON.parse(JSON.stringify(writeRequest(operation, sent) ?? null));
      expect(readRequest(operation, body), id).toEqual(readable(request?.template, sent));
      if (request) expect(validate(request.schema, body), id).toEqual([]);
      const read = readQuery(operation, new URLSearchParams(writeQuery(operation, sent)));
      const texts = query.map(({ template }) => template);
      // A query contains only texts, so identifiers of any type are read as texts.
      expect(asTexts(read), id).toEqual(asTexts(readable(texts, sent)));
    }
  });

  test('reads answers as written', () => {
    const { operations, profile, validate } = under;
    for (const { id, success } of operations) {
      const values = answerValues({ id, success }, profile);
      const envelope = { code: 0, message: 'success', data: {}, trace_id: 'a1' };
      writeLayout(success.layout, values, envelope);
      const body: unknown = JSON.parse(JSON.stringify(envelope));
      expect(readLayout(success.layout, body), id).toEqual(values);
      expect(validate(success.schema, body), id).toEqual([]);
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test('failures match the description', () => {
    const { profile, validate } = under;
    const form = profile.values['errors.data'];
    const data = form === 'absent' ? {} : { data: form === 'null-value' ? null : {} };
    for (const [kind] of codesOf(profile)) {
      const failure = { code: codeOf(profile, kind), message: kind, trace_id: 'a1', ...data };
      expect(validate('/components/schemas/Failure', failure), kind).toEqual([]);
    }
  });

  test('pushes match the description', () => {
    const { profile, sent, validate } = under;
    const known = { timestamp: '2026-01-02T03:04:05Z', site_id: 1, site_name: 'x' };
    const values = { ...sent, id: 7, message: 'no' };
    for (const { id } of gaps.filter((gap) => gap.id.startsWith('event-data.'))) {
      const event = id.slice('event-data.'.length);
      const push = { ...known, event, data: fillTemplate(gapValue(profile, id), values) };
      const message = `/webhooks/${event}/post/requestBody`;
      expect(validate(`${message}/content/application~1json/schema`, push), event).toEqual([]);
    }
  });

  test('every body of a call, answer and push has a valid example', () => {
    const { description, profile } = under;
    const shown = structuredClone(description);
    addExamples(shown, samplesFor(profile), profile);
    const bodies = [shown, description].flatMap((one) => operationObjects(one).flatMap(bodiesOf));
    expect(bodies.length).toBeGreaterThanOrEqual(26);
    const lacking = bodies.slice(0, bodies.length / 2).filter((media) => examplesOf(media).length === 0);
    const validate = createValidator({ ...shown, bodies } as never);
    const wrong = bodies.flatMap((media, index) =>
      examplesOf(media).flatMap(({ value }) => validate(`/bodies/${index}/schema`, value)),
    );
    expect([lacking, wrong]).toEqual([[], []]);
  });
}

function callOf({ id, gap = id, method, path, success, request, query = [] }: Operation): unknown[] {
  const texts = query.map(({ parameter, template }) => [parameter, template]);
  return [gap, method, path, success.status, request?.template, Object.fromEntries(texts)];
}

/** The media types of its request and its answers. */
function bodiesOf({ requestBody, responses }: Json): Json[] {
  const holders = [requestBody, ...Object.values((responses ?? {}) as Json)] as (Json | undefined)[];
  return holders.map(mediaTypeOf).filter((media) => media !== undefined);
}

/** The gaps with the places of the values of a documented answer. */
const gapsOfAnswers: Record<string, string> = {
  login: 'login.',
  refresh: 'refresh.',
  createSubscription: 'subscription.response.',
  testSubscription: 'hook-test.',
};

/** Promised places, which a profile may change. */
const promised = ['list', 'total', 'key'];

function placesStated({ id, gap }: Operation, profile: Profile): Values {
  const call = readCall(gapValue(profile, gap ?? ''));
  const inCall = (name: string) => call?.[name] ?? (promised.includes(name) ? `/data/${name}` : 'absent');
  const reads = (findGap(gap ?? '')?.reads ?? []).map((name) => [name, inCall(name)]);
  const start = gapsOfAnswers[id] ?? 'none';
  const documented = idsOf('pointer')
    .filter((one) => one.startsWith(start))
    .map((one) => [one.slice(start.length).replaceAll('-', '_'), gapValue(profile, one)]);
  return Object.fromEntries([...reads, ...documented].filter(([, pointer]) => pointer !== 'absent'));
}

/** The marked places of a description that differ from the profile. */
function marksLeft(value: unknown, profile: Profile): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const ids = [Reflect.get(value, 'x-gap') ?? []].flat().map(String);
  const wrong = ids.filter((id) => !isFilled(id, value, profile));
  return [...wrong, ...Object.values(value).flatMap((part) => marksLeft(part, profile))];
}

function isFilled(id: string, node: object, profile: Profile): boolean {
  const gap = findGap(id);
  const value = gapValue(profile, id);
  if (gap?.kind === 'fill') {
    const patch = Object.entries(gap.fill?.[String(value)] ?? {});
    return patch.every(([key, wanted]) => JSON.stringify(Reflect.get(node, key)) === JSON.stringify(wanted));
  }
  return gap?.kind === 'operation' ? typeof value === 'object' : value !== 'absent' && value !== 'none';
}

/** A value inside a longer text is read as text. */
function readable(template: Template, values: Values): Values {
  const alone = new Set(slotsOf(template).flatMap((slot) => (slot.template === undefined ? slot.names : [])));
  const read = (name: string) => (alone.has(name) ? values[name] : String(values[name]));
  return Object.fromEntries(placeholdersOf(template).map((name) => [name, read(name)]));
}

function asTexts(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

function answerValues({ id, success }: Pick<Operation, 'id' | 'success'>, profile: Profile): Values {
  const { sent, answered } = samplesFor(profile);
  const all: Values = {
    ...{ ...answered, id: idIn(id, sent), state: stateIn(id), next: 'c3' },
    ...{ next_attempt_at: answered.at, attempts: [{ at: answered.at, status: 500, duration_ms: 12 }] },
  };
  const pick = (names: object) => Object.fromEntries(Object.keys(names).map((name) => [name, all[name]]));
  const { values, items } = success.layout;
  return 'list' in values ? { ...pick(values), list: [pick(items), pick(items)] } : pick(values);
}
