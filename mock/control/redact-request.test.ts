import { expect, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import {
  redactAddress,
  redactBody,
  redactHeaders,
  redactPath,
  redactText,
  redactTokens,
  secretPlacesOf,
} from './redact-request.ts';

const token = 'st_0123456789abcdef';
const key = 'sp_AbCdEfGh12345678';
const secret = 'correct-horse-battery';
const robots = {
  wecom: 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send',
  dingtalk: 'https://oapi.dingtalk.com/robot/send',
  feishu: 'https://open.feishu.cn/open-apis/bot/v2/hook',
};
const nowhere = { names: [], pointers: [] };

test.each([
  ['authorization', `Bearer ${token}`, 'Bearer st_…'],
  ['Proxy-Authorization', `bearer ${key}`, 'bearer sp_…'],
  ['authorization', `Basic ${secret}`, 'Basic …'],
  ['authorization', secret, '…'],
  ['set-cookie', secret, '…'],
  ['x-request-key', secret, '…'],
  ['X-CSRF-Token', secret, '…'],
  ['x-secret', secret, '…'],
  ['x-auth', secret, '…'],
  ['x-session', secret, '…'],
  ['x-jwt', `Bearer ${secret}`, 'Bearer …'],
  ['x-amz-signature', secret, '…'],
  ['idempotency-key', 'order-7', 'order-7'],
  ['access-control-request-headers', 'authorization', 'authorization'],
  ['x-note', `it is ${token}!`, 'it is st_…!'],
  ['referer', `https://user:${secret}@hooks.example/x?key=${secret}`, 'https://…@hooks.example/x?key=…'],
  ['x-webhook-signature', 'sha256=00ff', 'sha256=00ff'],
  ['content-type', 'application/json', 'application/json'],
])('shows the header %s: %s as %s', (name, value, shown) => {
  expect(redactHeaders({ [name]: value })).toEqual({ [name]: shown });
});

test.each([
  ['/api/v1/list_subscriptions?page=2&page_size=10', '/api/v1/list_subscriptions?page=2&page_size=10'],
  [`/api/v1/tenant/keys/${key}`, '/api/v1/tenant/keys/…'],
  ['/api/v1/x?access_token=abc&page=2', '/api/v1/x?access_token=…&page=2'],
  ['/api/v1/x?%74oken=abc&api-key=abc&key=abc', '/api/v1/x?%74oken=…&api-key=…&key=…'],
  ['/api/v1/x?q=s%74_0123456789abcdef', '/api/v1/x?q=…'],
  [`/api/v1/x?${token}`, '/api/v1/x?…'],
  [`/api/v1/x?${token}=1`, '/api/v1/x?…=…'],
  ['/api/v1/x?url=https%3A%2F%2Fhooks.example%2F%3Fkey%3Dabc', '/api/v1/x?url=…'],
  ['/api/v1/x?q=a?token=b', '/api/v1/x?q=…'],
  ['/api/v1/x?q=a?b=c', '/api/v1/x?q=a?b=c'],
  ['/api/v1/%zz?token=a', '/api/v1/%zz?token=…'],
])('shows the path %s as %s', (path, shown) => {
  expect(redactPath(path)).toBe(shown);
});

test.each([
  [`${robots.wecom}?key=abc`, `${robots.wecom}?key=…`],
  [`${robots.dingtalk}?access_token=a&sign=b`, `${robots.dingtalk}?access_token=…&sign=…`],
  [`${robots.feishu}/1234-5678`, `${robots.feishu}/…`],
  ['http://user:pa@ss@127.0.0.1:8080/x@y', 'http://…@127.0.0.1:8080/x@y'],
  ['http://127.0.0.1:8080/x?abc', 'http://127.0.0.1:8080/x?…'],
])('shows the address %s as %s', (address, shown) => {
  expect(redactAddress(address)).toBe(shown);
});

test.each([
  [`x${token}`, 'xst_…'],
  [`${token},${key}`, 'st_…,sp_…'],
  ['first_published_at', 'first_published_at'],
  ['list_subscription_of_a_tenant', 'list_subscription_of_a_tenant'],
  ['list_subscription_of_a_tenant_1', 'list_…'],
  ['asp_asp_sp_asp_0123456789', 'asp_…'],
  ['see https://a.example/?k=v and', 'see https://a.example/?k=… and'],
])('shows the text %s as %s', (text, shown) => {
  expect(redactText(text)).toBe(shown);
});

test.each([
  [`it is ${token}, ${key}`, 'it is st_…, sp_…'],
  [`x=${Buffer.from(token).toString('base64')}`, 'x=…=='],
  [`x=${encodeURIComponent('ü')}${token.replace('_', '%5F')}&y`, 'x=…&y'],
  ['https://a.example/?k=v 100%25 c3Rf', 'https://a.example/?k=v 100%25 c3Rf'],
])('hides only the tokens in the text %s: %s', (text, shown) => {
  expect(redactTokens(text)).toBe(shown);
});

test.each([
  ['{"username":"mei","password":"abc"}', { username: 'mei', password: '…' }],
  ['{"a":[{"API_KEY":"abc"},{"apiKey":1}]}', { a: [{ API_KEY: '…' }, { apiKey: '…' }] }],
  ['{"api-key":{"x":"abc"},"Secret":"abc"}', { 'api-key': '…', Secret: '…' }],
  ['{"newPasswd":"abc","sessionToken":["abc"]}', { newPasswd: '…', sessionToken: '…' }],
  [
    '{"pass":"abc","userPass":"abc","pass_phrase":"abc","PIN":1,"jwt":"abc","compass":"abc"}',
    { pass: '…', userPass: '…', pass_phrase: '…', PIN: '…', jwt: '…', compass: '…' },
  ],
  ['{"passed":1,"passenger":"a"}', { passed: 1, passenger: 'a' }],
  ['{"bypassed":true,"pinned":1}', { bypassed: true, pinned: 1 }],
  [`{"note":"${token}","${key}":1}`, { note: 'st_…', 'sp_…': 1 }],
  ['{"url":"https://hooks.example/x?key=abc","pages":3}', { url: 'https://hooks.example/x?key=…', pages: 3 }],
  [`"${key}"`, 'sp_…'],
  ['{"__proto__":{"password":"abc"}}', JSON.parse('{"__proto__":{"password":"…"}}')],
  [`{"password":"${secret}"`, { not_shown: `not JSON, ${14 + secret.length} characters` }],
  ['', undefined],
  [undefined, undefined],
])('redacts the body %s', (body, shown) => {
  expect(redactBody(body, nowhere)).toEqual(shown);
});

test('hides values at the places where a profile has secrets', () => {
  const places = { names: ['Sign-Phrase'], pointers: ['/data/session/value', '/list/0'] };
  const body = { data: { session: { value: 'abc', ttl: 900 } }, sign_phrase: 'abc', list: ['abc', 'def'] };
  expect(redactBody(JSON.stringify(body), places)).toEqual({
    data: { session: { value: '…', ttl: 900 } },
    sign_phrase: '…',
    list: ['…', 'def'],
  });
});

test('hides JSON below 100 levels', () => {
  const depth = 4000;
  const shown = JSON.stringify(redactBody('['.repeat(depth) + ']'.repeat(depth), nowhere));
  expect(shown).toBe(`${'['.repeat(101)}"…"${']'.repeat(101)}`);
});

test('finds the places where profiles have secrets', () => {
  expect(secretPlacesOf(loadProfile('always-200-camel-case'))).toEqual({
    names: ['signSecret'],
    pointers: ['/data/accessToken', '/data/accessToken', '/data/signSecret', '/accessToken'],
  });
  expect(secretPlacesOf(loadProfile('default')).pointers).toContain('/data/key');
});

function nestedAddress(levels: number): string {
  const equals = Array.from({ length: levels }, (_, level) => `%${'25'.repeat(level)}3D`);
  return `${'http://x?'.repeat(levels)}${equals.reverse().join('')}=1`;
}

test('hides deeply nested addresses in linear time', () => {
  expect(redactText(nestedAddress(2))).toBe('http://x?…=…');
  const text = nestedAddress(1000);
  expect(text.length).toBeGreaterThan(1_000_000);
  const from = performance.now();
  expect(redactText(text)).toBe('http://x?…=…');
  expect(performance.now() - from).toBeLessThan(10_000);
});
