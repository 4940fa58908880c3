import { expect, test } from 'vitest';
import type { Exchange } from '../core/exchange.ts';
import { exchangeOf } from '../testing.ts';
import { harOf } from './har.ts';

const text = '{"code":0,"key":"secret-1"}';
const cookies = { 'content-type': 'application/json', 'set-cookie': ['a=secret-1', 'b=2'], date: undefined };
const exchange: Exchange = {
  ...exchangeOf({ code: 0 }, { text, headers: cookies }),
  operation: 'createSubscription',
  request: {
    method: 'POST',
    url: 'http://127.0.0.1:9/x?site=1',
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer secret-1' },
    body: '{"secret":"secret-1"}',
  },
  at: Date.UTC(2026, 0, 2, 3, 4, 5),
  answeredAt: Date.UTC(2026, 0, 2, 3, 4, 5) + 12,
};
const options = { version: '1.2.3', redact: (text: string) => text.replaceAll('secret-1', '{SECRET}') };

test('has an entry for each exchange, without secrets', () => {
  const har = harOf([exchange, { ...exchange, request: { ...exchange.request, body: undefined } }], options);
  expect(JSON.stringify(har)).not.toContain('secret-1');
  expect(har).toMatchObject({
    log: {
      version: '1.2',
      creator: { name: 'sitepub', version: '1.2.3' },
      entries: [
        {
          startedDateTime: '2026-01-02T03:04:05.000Z',
          time: 12,
          request: {
            method: 'POST',
            url: 'http://127.0.0.1:9/x?site=1',
            headers: [
              { name: 'Content-Type', value: 'application/json' },
              { name: 'Authorization', value: 'Bearer {SECRET}' },
            ],
            queryString: [{ name: 'site', value: '1' }],
            postData: { mimeType: 'application/json', text: '{"secret":"{SECRET}"}' },
          },
          response: {
            status: 200,
            headers: [
              { name: 'content-type', value: 'application/json' },
              { name: 'set-cookie', value: '…' },
              { name: 'set-cookie', value: '…' },
            ],
            content: { size: 27, mimeType: 'application/json', text: '{"code":0,"key":"{SECRET}"}' },
            redirectURL: '',
          },
          timings: { send: -1, wait: 12, receive: -1 },
          comment: 'createSubscription',
        },
        { request: { method: 'POST' } },
      ],
    },
  });
});

test('redacts long bodies before it cuts them', () => {
  const text = `${'x'.repeat(65_530)}secret-1${'y'.repeat(100)}`;
  const response = { ...exchange.response, text };
  const har = JSON.stringify(harOf([{ ...exchange, operation: 'listSites', response }], options));
  expect(har).toContain('x{SECRE…');
  expect(har).not.toContain('secret-1');
});

test('hides known and unknown credentials in headers, cookies and addresses', () => {
  const open = { 'www-authenticate': 'Bearer realm="x"', 'x-webhook-signature': 'sha256=ab', etag: '"1"' };
  const hidden = {
    ...{ 'set-cookie': ['sid=5ecret; Path=/'], 'set-cookie2': 'a=5ecret', cookie: 'a=5ecret' },
    ...{ 'x-auth-token': '5ecret', 'x-auth': '5ecret', 'x-refresh-token': '5ecret', 'x-jwt': '5ecret' },
    ...{ 'x-api-key': '5ecret', 'x-session': '5ecret', 'x-csrf': '5ecret', 'x-amz-signature': '5ecret' },
    ...{ authorization: 'Bearer 5ecret', location: '/cb?token=5ecret&page=2#access_token=5ecret' },
    link: '</a?page=2&sig=5ecret>; rel="next"',
    ...{ 'content-location': '/s/5ecret0123456789', 'proxy-authenticate': 'Negotiate 5ecret0123456789==' },
    refresh: '0; url=/s/5ecret0123456789?t=1',
  };
  const url = 'http://127.0.0.1:9/x?page=1&access_token=5ecret';
  const request = { ...exchange.request, url, headers: { Cookie: 'a=5ecret' } };
  const response = { ...exchange.response, headers: { ...hidden, ...open } };
  const har = harOf([{ ...exchange, request, response }], options);
  const text = JSON.stringify(har);
  expect(text).not.toContain('5ecret');
  expect(har).toMatchObject({
    log: {
      entries: [
        {
          request: {
            url: 'http://127.0.0.1:9/x?page=1&access_token=…',
            queryString: [{ value: '1' }, { value: '…' }],
          },
          response: {
            redirectURL: '/cb?token=…&page=2#access_token=…',
            headers: expect.arrayContaining([
              { name: 'authorization', value: 'Bearer …' },
              { name: 'link', value: '</a?page=2&sig=…>; rel="next"' },
              { name: 'content-location', value: '/s/…' },
              { name: 'proxy-authenticate', value: 'Negotiate …' },
              ...Object.entries(open).map(([name, value]) => ({ name, value })),
            ]),
          },
        },
      ],
    },
  });
});
