// @module-tag nightly
// What holds under every profile, tried under many.
import { expect, test } from 'vitest';
import type { Description } from './description.ts';
import { codeOf, codesOf } from './error-codes.ts';
import type { Json } from './json.ts';
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
import { gaps } from './registers.ts';
import { resolve } from './resolve.ts';
import { fillTemplate, placeholdersOf, type Template, wholePlaceholder } from './template.ts';
import { randomProfile } from './testing/random-profile.ts';
import { createValidator, type Validator } from './validate.ts';

const named = [
  'default',
  'always-200-camel-case',
  'nested-201-uuid',
  'documented-only',
  'flags-and-cursors',
].map(loadProfile);
const random = Array.from({ length: 100 }, (_, seed) => randomProfile(seed));
const cases = [...named, ...random].map((profile) => [profile.name, prepare(profile)] as const);

interface Case {
  profile: Profile;
  description: Description;
  operations: Operation[];
  validate: Validator;
}

function prepare(profile: Profile): Case {
  const description = resolve(profile);
  return {
    profile,
    description,
    operations: operationsOf(description),
    validate: createValidator(description),
  };
}

test('the same seed gives the same profile, and another one another', () => {
  expect(randomProfile(7)).toEqual(randomProfile(7));
  expect(randomProfile(7).values).not.toEqual(randomProfile(8).values);
});

test('random profiles state every gap now and then, and leave it out now and then', () => {
  const always = gaps.filter(({ id }) => random.every(({ stated }) => stated.has(id)));
  const never = gaps.filter(({ id }) => !random.some(({ stated }) => stated.has(id)));
  expect([...always, ...never].map(({ id }) => id)).toEqual([]);
});

test.for(cases)(
  'under %s, what the profile says stands where it says',
  ([, { profile, description, operations }]) => {
    const called = operations
      .map(({ gap, method, path }) => [gap, `${method} ${path}`])
      .filter(([gap]) => gap);
    expect(Object.fromEntries(called)).toEqual(statedCalls(profile));
    const statuses = operations
      .filter(({ gap }) => gap === undefined)
      .map(({ id, success }) => [id, success.status]);
    expect(Object.fromEntries(statuses)).toEqual({
      login: profile.values['login.status'],
      refresh: profile.values['refresh.status'],
      createSubscription: profile.values['subscription.status'],
      testSubscription: profile.values['hook-test.status'],
    });
    expect(marksLeft(description, profile)).toEqual([]);
  },
);

test.for(cases)(
  'under %s, requests are read as they were written',
  ([, { profile, operations, validate }]) => {
    for (const operation of operations.filter(({ request }) => request)) {
      const values = requestValues(operation, profile);
      const body: unknown = JSON.parse(JSON.stringify(writeRequest(operation, values)));
      expect(readRequest(operation, body), operation.id).toEqual(
        readable(operation.request?.template, values),
      );
      expect(validate(operation.request?.schema ?? '', body), operation.id).toEqual([]);
    }
  },
);

test.for(cases)('under %s, queries are read as they were written', ([, { profile, operations }]) => {
  for (const operation of operations) {
    const values = requestValues(operation, profile);
    const templates = operation.query?.map(({ template }) => template) ?? [];
    const search = new URLSearchParams(writeQuery(operation, values));
    // A query has texts only: an identifier of any type is read as one.
    expect(texts(readQuery(operation, search)), operation.id).toEqual(texts(readable(templates, values)));
  }
});

function texts(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, JSON.stringify(String(value))]),
  );
}

test.for(cases)(
  'under %s, answers are read as they were written',
  ([, { profile, operations, validate }]) => {
    for (const operation of operations) {
      const values = answerValues(operation, profile);
      const envelope = { code: 0, message: 'success', data: {}, trace_id: 'a1' };
      writeLayout(operation.success.layout, values, envelope);
      const body: unknown = JSON.parse(JSON.stringify(envelope));
      expect(readLayout(operation.success.layout, body), operation.id).toEqual(values);
      expect(validate(operation.success.schema, body), operation.id).toEqual([]);
    }
  },
);

test.for(cases)('under %s, failures and pushes fit the description', ([, { profile, validate }]) => {
  const form = profile.values['errors.data'];
  const data = form === 'absent' ? {} : { data: form === 'null-value' ? null : {} };
  for (const [kind] of codesOf(profile)) {
    const failure = { code: codeOf(profile, kind), message: kind, trace_id: 'a1', ...data };
    expect(validate('/components/schemas/Failure', failure)).toEqual([]);
  }
  for (const { id } of gaps.filter((gap) => gap.id.startsWith('event-data.'))) {
    const event = id.slice('event-data.'.length);
    const push = { ...anEvent, event, data: fillTemplate(gapValue(profile, id), eventValues) };
    expect(validate(`/components/schemas/${schemaNameOf(event)}`, push), event).toEqual([]);
  }
});

const anEvent = { timestamp: '2026-01-02T03:04:05Z', site_id: 1, site_name: 'x' };
const eventValues = {
  id: 7,
  title: 'Tea',
  form: 'book',
  fields: { a: 1 },
  author: 'Lin',
  text: 'Hi',
  message: 'no',
};

function statedCalls(profile: Profile): Record<string, string> {
  const calls = gaps
    .filter(({ kind }) => kind === 'operation')
    .map(({ id }) => ({ id, call: gapValue(profile, id) as Json | string }));
  return Object.fromEntries(
    calls.flatMap(({ id, call }) =>
      typeof call === 'string' || 'by' in call
        ? []
        : [[id, `${call.method} ${String(call.path).split('?')[0]}`]],
    ),
  );
}

/** The marked places of a description that are not as the profile says. */
function marksLeft(value: unknown, profile: Profile): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const ids = [Reflect.get(value, 'x-gap') ?? []].flat().map(String);
  const wrong = ids.filter((id) => !isFilled(id, value, profile));
  return [...wrong, ...Object.values(value).flatMap((part) => marksLeft(part, profile))];
}

function isFilled(id: string, node: object, profile: Profile): boolean {
  const gap = gaps.find((candidate) => candidate.id === id);
  const value = gapValue(profile, id);
  if (gap?.kind === 'fill') {
    const patch = Object.entries(gap.fill?.[String(value)] ?? {});
    return patch.every(([key, wanted]) => JSON.stringify(Reflect.get(node, key)) === JSON.stringify(wanted));
  }
  return gap?.kind === 'operation' ? typeof value === 'object' : value !== 'absent' && value !== 'none';
}

const someId = (profile: Profile) =>
  ({ integer: 42, uuid: '5f0c9a52-7d0e-4b7c-9a0e-3f5d1c2b4a69', string: 'wh_1' })[
    profile.values['subscription.id-type']
  ];

function requestValues({ id }: Operation, profile: Profile): Record<string, unknown> {
  const subscriptionID = someId(profile);
  return {
    ...{ username: 'mei', password: 'p', token: 't', event: 'publish.complete', siteID: 101, subscriptionID },
    ...{ url: 'https://a.example', events: ['publish.complete'], channel: 'feishu', secret: 's' },
    ...{ name: 'New', note: 'n1', source: 'https://b.example', prompt: 'Hi', keyID: 3, contentID: 9 },
    ...{ title: 'Tea', text: id, form: 'book', fields: { a: 1 }, author: 'Lin' },
    ...{ version: 8, page: 3, page_size: 50, offset: 40, limit: 20, cursor: 'c2' },
  };
}

/** Within a text, a value is read back as text. */
function readable(template: Template, values: Record<string, unknown>): Record<string, unknown> {
  const alone = new Set(stringsIn(template).map(wholePlaceholder));
  const names = placeholdersOf(template);
  return Object.fromEntries(
    names.map((name) => [name, alone.has(name) ? values[name] : String(values[name])]),
  );
}

function stringsIn(template: unknown): string[] {
  if (typeof template === 'string') return [template];
  return typeof template === 'object' && template !== null ? Object.values(template).flatMap(stringsIn) : [];
}

function answerValues({ id, success }: Operation, profile: Profile): Record<string, unknown> {
  const time = '2026-01-02T03:04:05+08:00';
  const subscriptions = ['createSubscription', 'listSubscriptions'].includes(id);
  const all: Record<string, unknown> = {
    ...{ token: 't', expires_in: 60, id: subscriptions ? someId(profile) : 7, url: 'https://a.example' },
    ...{ events: ['form.submit'], channel: 'wecom', secret: 's', delivered: false, version: 3, name: 'x' },
    ...{ text: 'y', key: 'sp_x', total: 2, next: 'c3', event: 'form.submit', state: stateIn(id) },
    ...{ title: 'Tea', form: 'book', fields: { a: 1 }, author: 'Lin', pages: 4, at: time, updated_at: time },
    ...{ created_at: time, next_attempt_at: time, attempts: [{ at: time, status: 500, duration_ms: 12 }] },
  };
  const pick = (names: object) => Object.fromEntries(Object.keys(names).map((name) => [name, all[name]]));
  const list = [pick(success.layout.items), pick(success.layout.items)];
  return 'list' in success.layout.values
    ? { ...pick(success.layout.values), list }
    : pick(success.layout.values);
}

function stateIn(operation: string): string {
  if (/^(listContents|getContent)$/.test(operation)) return 'draft';
  return operation === 'getPublish' ? 'running' : 'pending';
}

function schemaNameOf(event: string): string {
  const words = event.split('.').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}
