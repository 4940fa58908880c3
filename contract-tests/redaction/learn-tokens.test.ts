import { expect, test } from 'vitest';
import type { Exchange } from '../core/exchange.ts';
import { exchangeOf } from '../testing.ts';
import { learnTokens } from './learn-tokens.ts';
import { createSecrets } from './redact.ts';

const token = 'st_0123456789abcdef';

test.for<[string, Exchange['operation'], unknown, string[]]>([
  ['a token in an unknown field of a login', 'login', { data: { deep: [{ x: token }] } }, [token]],
  ['a token outside of data', 'refresh', { new: token }, [token]],
  ['a new API key', 'createKey', { data: { value: token } }, [token]],
  [
    'a field that is called one, in any answer',
    'listSites',
    { data: { accessToken: 'a1b2c3d4' } },
    ['a1b2c3d4'],
  ],
  ['a list of them', 'listSites', { data: { api_keys: ['a1b2c3d4', 'e5f6a7b8'] } }, ['a1b2c3d4', 'e5f6a7b8']],
  ['one in a sentence', 'login', { message: `welcome: ${token}!` }, [token]],
  [
    'one in an address',
    'login',
    { data: { next: `https://a2.example/cb/x?t=${token}&n=1#${token}` } },
    [token],
  ],
  ['one in a text of pairs', 'createKey', { data: `id=1&value=${token}&ttl=1` }, [token]],
  ['one with padding', 'refresh', { x: `Bearer ${token}==` }, [`${token}==`]],
  ['none in a text of the creation of a subscription', 'createSubscription', { data: { id: token } }, []],
  ['no identifier of digits', 'login', { data: { site: '1892345678901234567' } }, []],
  ['no trace_id', 'login', { trace_id: token }, []],
  ['no other field of another answer', 'listSites', { data: { x: token } }, []],
  ['no word', 'login', { data: { token_type: 'bearer_token', x: 'a-word-without-a-digit' } }, []],
  [
    'no text, address, date or short value',
    'login',
    {
      data: {
        a: 'a text of 4 words',
        b: 'http://127.0.0.1:4010/api',
        c: '2026-01-02T03:04:05Z',
        d: 'abc123',
      },
    },
    [],
  ],
  ['nothing that was sent', 'login', { data: { x: 'sent-0123456789abcdef' } }, []],
])('learns %s', ([, operation, json, want]) => {
  const secrets = createSecrets();
  const exchange = exchangeOf(json);
  const request = { ...exchange.request, body: '{"username":"sent-0123456789abcdef"}' };
  learnTokens({ exchanges: [{ ...exchange, operation, request }], secrets });
  expect(secrets.entries().map(([value]) => value)).toEqual(want);
});

test('learns those in headers of an answer that gives one out', () => {
  const headers = {
    'set-cookie': [`sid=${token}; Max-Age=31536000`],
    'x-y': 'st_fedcba9876543210',
    etag: '"00000000000000aa"',
  };
  const learnt = (operation: Exchange['operation']) => {
    const secrets = createSecrets();
    learnTokens({ exchanges: [{ ...exchangeOf({}, { headers }), operation }], secrets });
    return secrets.entries().map(([value]) => value);
  };
  expect(learnt('login')).toEqual([token, 'st_fedcba9876543210']);
  expect(learnt('listSites')).toEqual([]);
});

test('keeps the name of a token that is known', () => {
  const secrets = createSecrets();
  secrets.add('SITEPUB_OTHER_TOKEN', token);
  learnTokens({ exchanges: [{ ...exchangeOf({ x: token }), operation: 'login' }], secrets });
  expect(secrets.entries()).toEqual([[token, 'SITEPUB_OTHER_TOKEN']]);
});
