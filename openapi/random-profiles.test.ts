// What holds under every profile, tried under the packaged ones, and each night under many.
import { beforeAll, describe, expect, test } from 'vitest';
import { codeOf, codesOf } from './error-codes.ts';
import { formatPointer } from './json-pointer.ts';
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
import { gapValue, loadProfile, type Profile } from './profile.ts';
import { findGap, gaps, idsOf } from './registers.ts';
import { resolve } from './resolve.ts';
import { samplesFor } from './samples.ts';
import { readCall } from './stated-call.ts';
import { fillTemplate, placeholdersOf, type Template, wholePlaceholder } from './template.ts';
import { profileNames } from './testing/profile-names.ts';
import { randomProfile } from './testing/random-profile.ts';
import { createValidator } from './validate.ts';

type Values = Readonly<Record<string, unknown>>;

const drawn = new Map<number, Profile>();

function draw(seed: number): Profile {
  const profile = drawn.get(seed) ?? randomProfile(seed);
  drawn.set(seed, profile);
  return profile;
}

describe.each(profileNames)('under %s', (name) => holdsUnder(() => loadProfile(name)));
describe.each(Array.from({ length: 100 }, (_, seed) => seed))(
  'under the random profile %i',
  { tags: ['nightly'] },
  (seed) => holdsUnder(() => draw(seed)),
);

describe('random profiles', { tags: ['nightly'] }, () => {
  test('are the same by the same seed, and others by another', () => {
    expect(randomProfile(7)).toEqual(randomProfile(7));
    expect(randomProfile(7).values).not.toEqual(randomProfile(8).values);
  });

  test('state every gap now and then, and leave it out now and then', () => {
    const all = Array.from({ length: 100 }, (_, seed) => draw(seed));
    const countOf = (id: string) => all.filter(({ stated }) => stated.has(id)).length;
    expect(gaps.filter(({ id }) => [0, all.length].includes(countOf(id)))).toEqual([]);
  });
});

function derive(profile: Profile) {
  const description = resolve(profile);
  const operations = operationsOf(description);
  return {
    profile,
    description,
    operations,
    documented: operations.filter(({ gap }) => gap === undefined),
    others: operations.filter(({ gap }) => gap !== undefined),
    validate: createValidator(description),
    sent: { ...samplesFor(profile).sent, page: 3, page_size: 50, offset: 40, limit: 20, cursor: 'c2' },
  };
}

function holdsUnder(open: () => Profile): void {
  let under: ReturnType<typeof derive>;
  beforeAll(() => {
    under = derive(open());
  });
  const callOf = ({ gap = '' }: Operation) => readCall(gapValue(under.profile, gap));

  test('the documented operations and those that it states are offered, by its calls', () => {
    const { profile, documented, others } = under;
    const ids = documented.map(({ id }) => id).toSorted();
    expect(ids).toEqual(['createSubscription', 'login', 'refresh', 'testSubscription']);
    const stated = idsOf('operation').flatMap((id) => {
      const call = readCall(gapValue(profile, id));
      return call ? `${id}: ${call.method} ${call.path}` : [];
    });
    const offered = others.map(({ gap, method, path }) => `${gap}: ${method} ${path}`);
    expect(offered.toSorted()).toEqual(stated.toSorted());
  });

  test('statuses are its own', () => {
    const { documented, others, profile } = under;
    expect(Object.fromEntries(documented.map(({ id, success }) => [id, success.status]))).toEqual({
      login: profile.values['login.status'],
      refresh: profile.values['refresh.status'],
      createSubscription: profile.values['subscription.status'],
      testSubscription: profile.values['hook-test.status'],
    });
    for (const one of others) expect(one.success.status, one.id).toBe(callOf(one)?.status ?? 200);
  });

  test('bodies are its own', () => {
    const { operations, others, profile } = under;
    const bodyOf = (id: string) => operations.find((one) => one.id === id)?.request?.template;
    const refresh = profile.values['refresh.request'];
    expect(bodyOf('refresh')).toEqual(refresh === 'none' ? undefined : refresh);
    const names = ['url', 'events', 'channel', 'secret'] as const;
    const fields = names.map((name) => [profile.values[`subscription.request.${name}`], `{${name}}`]);
    expect(bodyOf('createSubscription')).toEqual(Object.fromEntries(fields));
    for (const one of others) expect(one.request?.template, one.id).toEqual(callOf(one)?.body);
  });

  test('queries are its own', () => {
    for (const one of under.others) {
      const query = one.query?.map(({ parameter, template }) => [parameter, template]) ?? [];
      expect(Object.fromEntries(query), one.id).toEqual(callOf(one)?.query);
    }
  });

  test('answers have their values where it says', () => {
    for (const one of under.operations) {
      const { values, items } = one.success.layout;
      const ofItems = Object.entries(items).map(([name, path]) => [`item.${name}`, path] as const);
      const places = [...Object.entries(values), ...ofItems];
      const found = places.map(([name, path]) => [name, formatPointer(path)]);
      expect(Object.fromEntries(found), one.id).toEqual(placesStated(one, under.profile));
    }
  });

  test('every mark is filled', () => {
    expect(marksLeft(under.description, under.profile)).toEqual([]);
  });

  test('requests are read as they were written', () => {
    const { operations, sent, validate } = under;
    for (const operation of operations.filter(({ request }) => request)) {
      const { template, schema = '' } = operation.request ?? {};
      const body: unknown = JSON.parse(JSON.stringify(writeRequest(operation, sent)));
      expect(readRequest(operation, body), operation.id).toEqual(readable(template, sent));
      expect(validate(schema, body), operation.id).toEqual([]);
    }
  });

  test('queries are read as they were written', () => {
    const { operations, sent } = under;
    for (const operation of operations) {
      const templates = operation.query?.map(({ template }) => template) ?? [];
      const read = readQuery(operation, new URLSearchParams(writeQuery(operation, sent)));
      // A query has texts only: an identifier of any type is read as one.
      expect(asTexts(read), operation.id).toEqual(asTexts(readable(templates, sent)));
    }
  });

  test('answers are read as they were written', () => {
    const { operations, profile, validate } = under;
    for (const operation of operations) {
      const values = answerValues(operation, profile);
      const envelope = { code: 0, message: 'success', data: {}, trace_id: 'a1' };
      writeLayout(operation.success.layout, values, envelope);
      const body: unknown = JSON.parse(JSON.stringify(envelope));
      expect(readLayout(operation.success.layout, body), operation.id).toEqual(values);
      expect(validate(operation.success.schema, body), operation.id).toEqual([]);
    }
  });

  test('failures fit the description', () => {
    const { profile, validate } = under;
    const form = profile.values['errors.data'];
    const data = form === 'absent' ? {} : { data: form === 'null-value' ? null : {} };
    for (const [kind] of codesOf(profile)) {
      const failure = { code: codeOf(profile, kind), message: kind, trace_id: 'a1', ...data };
      expect(validate('/components/schemas/Failure', failure), kind).toEqual([]);
    }
  });

  test('pushes fit the description', () => {
    const { profile, sent, validate } = under;
    const known = { timestamp: '2026-01-02T03:04:05Z', site_id: 1, site_name: 'x' };
    const values = { ...sent, id: 7, message: 'no' };
    for (const { id } of gaps.filter((gap) => gap.id.startsWith('event-data.'))) {
      const event = id.slice('event-data.'.length);
      const push = { ...known, event, data: fillTemplate(gapValue(profile, id), values) };
      expect(validate(`/components/schemas/${schemaNameOf(event)}`, push), event).toEqual([]);
    }
  });
}

/** The gaps that say where the values of a documented answer are. */
const gapsOfAnswers: Record<string, string> = {
  login: 'login.',
  refresh: 'refresh.',
  createSubscription: 'subscription.response.',
  testSubscription: 'hook-test.',
};

/** What stands where it is described unless a profile says otherwise, since a sentence promises it. */
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

/** The marked places of a description that are not as the profile says. */
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

/** Within a text, a value is read back as text. */
function readable(template: Template, values: Values): Values {
  const alone = new Set(stringsIn(template).map(wholePlaceholder));
  const read = (name: string) => (alone.has(name) ? values[name] : String(values[name]));
  return Object.fromEntries(placeholdersOf(template).map((name) => [name, read(name)]));
}

function stringsIn(template: unknown): string[] {
  if (typeof template === 'string') return [template];
  return typeof template === 'object' && template !== null ? Object.values(template).flatMap(stringsIn) : [];
}

function asTexts(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

function answerValues({ id, success }: Operation, profile: Profile): Values {
  const { sent, answered } = samplesFor(profile);
  const isSubscription = ['createSubscription', 'listSubscriptions'].includes(id);
  const all: Values = {
    ...{ ...answered, id: isSubscription ? sent.id : 7, state: stateIn(id), next: 'c3' },
    ...{ next_attempt_at: answered.at, attempts: [{ at: answered.at, status: 500, duration_ms: 12 }] },
  };
  const pick = (names: object) => Object.fromEntries(Object.keys(names).map((name) => [name, all[name]]));
  const { values, items } = success.layout;
  return 'list' in values ? { ...pick(values), list: [pick(items), pick(items)] } : pick(values);
}

function stateIn(operation: string): string {
  if (/^(listContents|getContent)$/.test(operation)) return 'draft';
  return operation === 'getPublish' ? 'running' : 'pending';
}

function schemaNameOf(event: string): string {
  const words = event.split('.').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}
