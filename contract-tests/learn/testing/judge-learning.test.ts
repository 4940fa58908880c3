import { describe, expect, test } from 'vitest';
import type { ExpectedValue } from './expected-values.ts';
import { judgeLearning, type LearntValue } from './judge-learning.ts';

const publish = {
  method: 'POST',
  path: '/sites/{siteID}/publish',
  body: { note: '{note}' },
  version: '/data/version',
};
const create = {
  method: 'POST',
  path: '/sites',
  status: 201,
  body: { site: { title: '{name}', kind: 'plain' } },
  id: '/data/id',
};
const list = { method: 'GET', path: '/sites', query: { page: '{page}' }, 'item.id': '/id' };
const log = { method: 'GET', path: '/log?hook={subscriptionID}&scope=all' };
const keys = { method: 'GET', path: '/keys', auth: 'session' };

interface Case {
  learnt: unknown;
  right: unknown;
  gap?: string;
  known?: ExpectedValue['known'];
  untold?: readonly string[];
  isCertain?: boolean;
  verdict: string;
  differences?: readonly string[];
  notes?: readonly string[];
}

const cases: Readonly<Record<string, Case>> = {
  'the same call': { learnt: publish, right: publish, verdict: 'right' },
  'the same call, not certain': { learnt: publish, right: publish, isCertain: false, verdict: 'doubtful' },
  nothing: {
    learnt: undefined,
    right: publish,
    verdict: 'missing',
    differences: [`nothing learnt of ${JSON.stringify(publish)}`],
  },
  'another method': {
    learnt: { ...publish, method: 'PUT' },
    right: publish,
    verdict: 'wrong-certain',
    differences: ['method PUT instead of POST'],
  },
  'another path': {
    learnt: { ...publish, path: '/sites/{siteID}/release' },
    right: publish,
    verdict: 'wrong-certain',
    differences: ['path /sites/{siteID}/release instead of /sites/{siteID}/publish'],
  },
  'another placeholder': {
    learnt: { ...publish, path: '/sites/{keyID}/publish' },
    right: publish,
    verdict: 'wrong-certain',
    differences: ['placeholders of the path: /sites/{keyID}/publish instead of /sites/{siteID}/publish'],
  },
  'no pointer': {
    learnt: { ...publish, version: undefined },
    right: publish,
    verdict: 'right',
    notes: ['lacks version "/data/version"'],
  },
  'another pointer': {
    learnt: { ...publish, version: '/data/id' },
    right: publish,
    verdict: 'wrong-certain',
    differences: ['version "/data/id", instead of "/data/version"'],
  },
  'a pointer to what is not shown': {
    learnt: { ...publish },
    right: { ...publish, version: undefined },
    verdict: 'wrong-certain',
    differences: ['version "/data/version", which the answer does not show'],
  },
  'no note': {
    learnt: { ...publish, body: undefined },
    right: publish,
    verdict: 'right',
    notes: ['body at "/note": lacks "{note}"'],
  },
  'an empty body for none': {
    learnt: { ...publish, body: {} },
    right: { ...publish, body: undefined },
    verdict: 'right',
  },
  'a constant that no call needs': {
    learnt: { ...publish, body: { note: '{note}', mode: 'full' } },
    right: publish,
    verdict: 'wrong-certain',
    differences: ['body at "/mode": "full", which no call needs'],
  },
  'no constant that calls need': {
    learnt: { ...create, body: { site: { title: '{name}' } } },
    right: create,
    gap: 'operation.create-site',
    verdict: 'wrong-certain',
    differences: ['body at "/site/kind": lacks "plain"'],
  },
  'a value at another place': {
    learnt: { ...create, body: { title: '{name}', site: { kind: 'plain' } } },
    right: create,
    gap: 'operation.create-site',
    verdict: 'wrong-certain',
    differences: ['body at "/site/title": lacks "{name}"', 'body at "/title": "{name}", which no call needs'],
  },
  'another status': {
    learnt: { ...create, status: 200 },
    right: create,
    gap: 'operation.create-site',
    verdict: 'wrong-certain',
    differences: ['status 200 instead of 201'],
  },
  'a status that is not told': {
    learnt: { ...create, status: undefined },
    right: create,
    untold: ['status'],
    gap: 'operation.create-site',
    verdict: 'right',
    notes: ['status 200 instead of 201'],
  },
  'no pages': {
    learnt: { ...list, query: undefined },
    right: list,
    gap: 'operation.list-sites',
    verdict: 'right',
    notes: ['query parameter page: lacks "{page}"'],
  },
  'pages under another name': {
    learnt: { ...list, query: { p: '{page}' } },
    right: list,
    gap: 'operation.list-sites',
    verdict: 'wrong-certain',
    differences: ['query parameter p: "{page}", which no call needs'],
    notes: ['query parameter page: lacks "{page}"'],
  },
  'the promised place of a list': {
    learnt: { ...list, list: '/data/list' },
    right: list,
    gap: 'operation.list-sites',
    verdict: 'right',
  },
  'a query in another member': {
    learnt: { method: 'GET', path: '/log', query: { scope: 'all', hook: '{subscriptionID}' } },
    right: log,
    gap: 'operation.list-deliveries',
    verdict: 'right',
  },
  'no constant in a query': {
    learnt: { method: 'GET', path: '/log?hook={subscriptionID}' },
    right: log,
    gap: 'operation.list-deliveries',
    verdict: 'wrong-certain',
    differences: ['query parameter scope: lacks "all"'],
  },
  'either token for a session': {
    learnt: { ...keys, auth: 'bearer' },
    right: keys,
    gap: 'operation.list-keys',
    verdict: 'wrong-certain',
    differences: ['auth "bearer" instead of "session"'],
  },
  'no word of who may call': {
    learnt: { ...keys, auth: undefined },
    right: keys,
    untold: ['auth'],
    gap: 'operation.list-keys',
    verdict: 'right',
    notes: ['auth "bearer" instead of "session"'],
  },
  'what another call does': {
    learnt: { by: 'create-content' },
    right: { by: 'create-content' },
    gap: 'operation.publish-content',
    verdict: 'right',
  },
  'what nobody can tell': {
    learnt: undefined,
    right: { by: 'create-content' },
    known: 'untold',
    gap: 'operation.publish-content',
    verdict: 'untold',
    differences: ['nothing learnt of {"by":"create-content"}'],
  },
  'a call for what another call does': {
    learnt: publish,
    right: { by: 'create-content' },
    gap: 'operation.publish-content',
    verdict: 'wrong-certain',
    differences: [`learnt ${JSON.stringify(publish)} instead of {"by":"create-content"}`],
  },
  'what is not offered': { learnt: { value: 'not-offered' }, right: undefined, verdict: 'not-offered' },
  'a call of what is not offered': {
    learnt: publish,
    right: undefined,
    verdict: 'wrong-certain',
    differences: [`learnt ${JSON.stringify(publish)}, which the deployment does not offer`],
  },
  'a doubtful call of what is not offered': {
    learnt: publish,
    right: undefined,
    isCertain: false,
    verdict: 'not-offered',
  },
  'a documented place': { learnt: '/data/jwt', right: '/data/jwt', gap: 'login.token', verdict: 'right' },
  'a documented place that is the usual one': {
    learnt: undefined,
    right: '/data/token',
    gap: 'login.token',
    verdict: 'right',
  },
  'no documented place': {
    learnt: undefined,
    right: '/data/jwt',
    gap: 'login.token',
    verdict: 'missing',
    differences: ['learnt "/data/token" instead of "/data/jwt"'],
  },
  'another documented place': {
    learnt: '/data/id',
    right: '/data/jwt',
    gap: 'login.token',
    verdict: 'wrong-certain',
    differences: ['learnt "/data/id" instead of "/data/jwt"'],
  },
  'the same body in another order': {
    learnt: { b: '{token}', a: 1 },
    right: { a: 1, b: '{token}' },
    gap: 'refresh.request',
    verdict: 'right',
  },
};

describe('judges', () => {
  for (const [
    name,
    {
      learnt,
      right,
      gap = 'operation.publish-site',
      known = 'whole',
      untold = [],
      isCertain = true,
      ...want
    },
  ] of Object.entries(cases))
    test(name, () => {
      const given: Record<string, LearntValue> =
        learnt === undefined ? {} : { [gap]: { value: learnt, isCertain } };
      const { values } = judgeLearning(given, { [gap]: { value: right, known, untold } });
      expect(values).toEqual([{ gap, differences: [], notes: [], ...want }]);
    });
});

test('counts operations apart from what the documented endpoints show', () => {
  const expected = {
    'operation.publish-site': publish,
    'operation.create-site': create,
    'login.token': '/data/jwt',
  };
  const values = Object.entries(expected).map(
    ([gap, value]) => [gap, { value, known: 'whole', untold: [] }] as const,
  );
  const { operations, documented } = judgeLearning(
    {
      'operation.publish-site': { value: publish, isCertain: true },
      'login.token': { value: '/data/jwt', isCertain: false },
    },
    Object.fromEntries(values),
  );
  expect(operations).toEqual({ right: 1, doubtful: 0, missing: 1, wrongCertain: 0 });
  expect(documented).toEqual({ right: 0, doubtful: 1, missing: 0, wrongCertain: 0 });
});
