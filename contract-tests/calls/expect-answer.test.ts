import { expect, test } from 'vitest';
import { NotVerified, PromiseBroken, WronglyRefused } from '../core/outcomes.ts';
import { createResources } from '../deployment/created-resources.ts';
import type { Thing } from '../deployment/shown-things.ts';
import { exchangeOf, openContext } from '../testing.ts';
import { requireFit } from './call.ts';
import { expectRefusal, expectSuccess, isOnlyRateLimited, isRateLimited } from './expect-answer.ts';
import { type Asker, whoseIs } from './own-things.ts';

const success = exchangeOf({ code: 0 });
const refusal = exchangeOf({ code: 40401 }, { status: 404 });
const limitedByCode = exchangeOf({ code: 42900 }, { status: 400 });
const limitedByStatus = exchangeOf({ code: 7 }, { status: 429 });
const retryAfter = { 'retry-after': '2' };
const successLater = exchangeOf({ code: 0 }, { status: 202, headers: retryAfter });
const down = exchangeOf({ code: 50300 }, { status: 503, headers: retryAfter });
const withoutCode = exchangeOf({ ok: true });
const page = exchangeOf(undefined, { status: 404, text: '<h1>Not Found</h1>' });

const refused = { what: 'a wrong channel', kind: 'invalid-request' } as const;

test.for([
  ['a success', success, undefined, PromiseBroken],
  ['a success with Retry-After', successLater, undefined, PromiseBroken],
  ['a refusal of a service that is down', down, NotVerified, NotVerified],
  ['a refusal', refusal, WronglyRefused, undefined],
  ['an error page', page, WronglyRefused, undefined],
  ['a refusal for the rate, by its code', limitedByCode, NotVerified, NotVerified],
  ['a refusal for the rate, by its status', limitedByStatus, NotVerified, NotVerified],
  ['an answer that says neither', withoutCode, NotVerified, NotVerified],
] as const)('where a success or a refusal is expected: %s', ([, exchange, forSuccess, forRefusal]) => {
  expect(thrownBy(() => expectSuccess(openContext(), exchange, 'the test'))).toBe(forSuccess);
  expect(thrownBy(() => expectRefusal(openContext(), exchange, refused))).toBe(forRefusal);
});

test('names the expectation and the answer', () => {
  expect(() => expectRefusal(openContext(), success, refused)).toThrow(
    'expected a wrong channel to be refused (a code other than 0); got HTTP 200 {"code":0}',
  );
  expect(() => expectSuccess(openContext(), refusal, 'the test of a subscription')).toThrow(
    'expected the test of a subscription to be accepted (code 0); got HTTP 404 {"code":40401}',
  );
});

test('distinguishes an unavailable service from a limit that is used up', () => {
  const context = openContext();
  expect(isRateLimited(context, successLater)).toBe(false);
  expect(() => expectSuccess(context, down, 'a publish')).toThrow(
    /a publish was refused .* temporarily unavailable/,
  );
  expect(() => expectSuccess(context, limitedByCode, 'a publish')).toThrow(/for its rate, .* used them up/);
});

test('notes status and code of a refusal as drift or agreement', () => {
  const context = openContext();
  expectRefusal(context, refusal, { what: 'x', kind: 'unknown-subscription' });
  expect(outcomesIn(context)).toEqual({ 'errors.http-status': 'agrees', 'errors.codes': 'agrees' });
  expectRefusal(context, exchangeOf({ code: 5 }, { status: 404 }), { what: 'x', kind: 'unknown-site' });
  expect(outcomesIn(context)).toEqual({ 'errors.http-status': 'agrees', 'errors.codes': 'drift' });
});

test('notes no drift for a second code if the first one matches the profile', () => {
  const context = openContext({ profile: stating({ 'errors.codes': { unauthenticated: 40101 } }) });
  expectRefusal(context, unauthenticated(40102), { what: 'an invented token', kind: 'unauthenticated' });
  expect(outcomesIn(context)['errors.codes']).toBe('drift');
  expectRefusal(context, unauthenticated(40101), { what: 'no token', kind: 'unauthenticated' });
  expect(outcomesIn(context)['errors.codes']).toBe('agrees');
  expectRefusal(context, unauthenticated(40103), { what: 'x', kind: 'unknown-site' });
  expect(outcomesIn(context)['errors.codes']).toBe('drift');
});

test('names the source of an error code: profile or default', () => {
  const context = openContext({ profile: stating({ 'errors.codes': { unauthenticated: 40101 } }) });
  for (const kind of ['unauthenticated', 'unknown-site'] as const)
    expectRefusal(context, unauthenticated(5), { what: 'x', kind });
  const { observed } = context.observations.report().find(({ id }) => id === 'errors.codes') ?? {};
  expect(observed).toBe('unauthenticated 5 (profile: 40101); unknown-site 5 (default: 40400)');
});

function stating(stated: Record<string, unknown>) {
  return { name: 'test', stated };
}

function unauthenticated(code: number) {
  return exchangeOf({ code }, { status: 401 });
}

test('notes no drift for the refusal of a full site', () => {
  const context = openContext();
  const full = exchangeOf({ code: 40901 }, { status: 409 });
  expectRefusal(context, full, { what: 'x', kind: 'unknown-site' });
  expect(outcomesIn(context)).toEqual({});
});

function outcomesIn({ observations }: ReturnType<typeof openContext>) {
  const seen = observations.report().filter(({ outcome }) => outcome !== 'not-observed');
  return Object.fromEntries(seen.map(({ id, outcome }) => [id, outcome]));
}

function thrownBy(run: () => void): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.constructor : error;
  }
}

test('takes a refusal for a rate refusal if no other error has its code and status', () => {
  expect(isOnlyRateLimited(openContext(), limitedByCode)).toBe(true);
  expect(isOnlyRateLimited(openContext(), refusal)).toBe(false);
  const stated = {
    'errors.http-status': 'always-200',
    'errors.codes': { 'rate-limited': -1, unauthenticated: -1 },
  };
  const context = openContext({ profile: { name: 'one code', stated } });
  expect(isOnlyRateLimited(context, exchangeOf({ code: -1 }))).toBe(false);
  expect(isOnlyRateLimited(context, limitedByStatus)).toBe(true);
});

const operation = { id: 'deleteSubscription', path: '/sites/{siteID}/webhooks/{subscriptionID}' } as const;

test.for(['..', '.', '', 'a/../b', { toString: 1 }])(
  'makes no path from the identifier %j',
  (subscriptionID) => {
    expect(() => requireFit(operation, { siteID: 7, subscriptionID })).toThrow(
      'the value for {subscriptionID} would lead the call of deleteSubscription to another path',
    );
  },
);

test('ignores values that are not in the path', () => {
  expect(() => requireFit(operation, { siteID: 7, subscriptionID: 'b', url: '..' }, 'sp_1')).not.toThrow();
});

test.for(['a\r\nX-Admin: 1', 'a\u0000', '海'])('makes no header from the token %j', (token) => {
  expect(() => requireFit(operation, {}, token)).toThrow('has a character that headers cannot contain');
});

test('makes no header from a token that is too long', () => {
  expect(() => requireFit(operation, {}, 'a1'.repeat(32_768))).not.toThrow();
  expect(() => requireFit(operation, {}, `${'a1'.repeat(32_768)}b`)).toThrow(
    'has 65537 characters, more than a header can contain',
  );
});

test('waits once for all unlisted resources, and once more for later ones', async () => {
  const resources = createResources();
  const create = (id: number): Thing => {
    const thing: Thing = { what: 'subscription', id, site: 101, tenant: 'main' };
    resources.ownership.addClaim(thing, `http://a.example/${id}`, exchangeOf({ code: 0, data: { id } }));
    return thing;
  };
  let waits = 0;
  const { operations } = openContext();
  const asker: Asker = { resources, operations, read: async () => true, wait: async () => ++waits > 0 };
  const [one, another] = [create(1), create(2)];
  for (const thing of [one, another, one]) await whoseIs(asker, thing);
  expect(waits).toBe(1);
  await whoseIs(asker, create(3));
  expect(waits).toBe(2);
});
