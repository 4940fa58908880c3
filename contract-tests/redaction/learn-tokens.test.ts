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
    'a field with the name of a token, in any answer',
    'listSites',
    { data: { accessToken: 'a1b2c3d4' } },
    ['a1b2c3d4'],
  ],
  ['a list of keys', 'listSites', { data: { api_keys: ['a1b2c3d4', 'e5f6a7b8'] } }, ['a1b2c3d4', 'e5f6a7b8']],
  ['a token in a sentence', 'login', { message: `welcome: ${token}!` }, [token]],
  [
    'a token in an address',
    'login',
    { data: { next: `https://a2.example/cb/x?t=${token}&n=1#${token}` } },
    [token],
  ],
  ['a token in name-value pairs', 'createKey', { data: `id=1&value=${token}&ttl=1` }, [token]],
  ['the name of a member', 'login', { sessions: { [token]: { ttl: 1 } } }, [token]],
  ['a token with punctuation', 'login', { access_token: '$2b$10$ab12$cd34' }, ['$2b$10$ab12$cd34']],
  ['a token of short parts', 'login', { x: 'cookie AE:1F:09:BB:7C:33' }, ['AE:1F:09:BB:7C:33']],
  ['letters of alternating case', 'login', { x: 'kQzRtVbNmLpWsXcDfGhJkYuT' }, ['kQzRtVbNmLpWsXcDfGhJkYuT']],
  ['a password in an address', 'listSites', { x: 'see git://u:pass-1@h/x' }, ['pass-1']],
  ['a parameter of any text', 'listSites', { x: '/a?next=%2Fb%3Ftoken%3Da1b2c3d4e5' }, ['a1b2c3d4e5']],
  ['a key in a list of keys', 'listKeys', { list: [{ key: 'sk-12345678' }] }, ['sk-12345678']],
  ['no words in camel case', 'login', { x: 'AuthenticationWasSuccessful' }, []],
  ['no masked texts', 'listKeys', { list: [{ key: 'sk-1234…5678', secret: '****5678' }] }, []],
  ['a token with padding', 'refresh', { x: `Bearer ${token}==` }, [`${token}==`]],
  ['no text in the creation of a subscription', 'createSubscription', { data: { id: token } }, []],
  ['no identifier of digits', 'login', { data: { site: '1892345678901234567' } }, []],
  ['no trace_id', 'login', { trace_id: token }, []],
  ['no other field of another answer', 'listSites', { data: { x: token } }, []],
  ['no words', 'login', { data: { token_type: 'bearer_token', x: 'a-word-without-a-digit' } }, []],
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
  ['no text that the run sent', 'login', { data: { x: 'sent-0123456789abcdef' } }, []],
])('learns %s', ([, operation, json, want]) => {
  const secrets = createSecrets();
  const exchange = exchangeOf(json);
  const request = { ...exchange.request, body: '{"username":"sent-0123456789abcdef"}' };
  learnTokens({ exchanges: [{ ...exchange, operation, request }], secrets });
  expect(secrets.entries().map(([value]) => value)).toEqual(want);
});

test('learns tokens in headers of an answer with a token', () => {
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

test.for([
  ['{"code":0,"data":{"token":48291038475610293}}', ['48291038475610293', '48291038475610296']],
  ['48291038475610293847', ['48291038475610293847', '48291038475610290000']],
  ['{"expires_at":1767322800123,"id":1892345678901234567}', []],
] as const)('learns very long numbers, but no ids: %s', ([text, want]) => {
  const secrets = createSecrets();
  const exchange = exchangeOf(JSON.parse(text), { text });
  learnTokens({ exchanges: [{ ...exchange, operation: 'login' }], secrets });
  expect(new Set(secrets.entries().map(([value]) => value))).toEqual(new Set(want));
});

test('does not rename a known token', () => {
  const secrets = createSecrets();
  secrets.add('SITEPUB_OTHER_TOKEN', token);
  learnTokens({ exchanges: [{ ...exchangeOf({ x: token }), operation: 'login' }], secrets });
  expect(secrets.entries()).toEqual([[token, 'SITEPUB_OTHER_TOKEN']]);
});
