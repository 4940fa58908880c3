import { expect, test } from 'vitest';
import type { RequestMessage } from '../core/exchange.ts';
import { secretsWith, wordsIn } from '../testing.ts';
import { curlLine } from './curl.ts';

const token = 'st_0123456789';
const password = `it's "quoted" \\ $HOME \`id\``;

test('writes a line that sends the same request from a shell', () => {
  const line = curlLine(requestWith({ body: '{"a":"it\'s $HOME"}' }), {
    secrets: secretsWith({ SITEPUB_TOKEN: token }),
  });
  expect(line).toBe(
    `curl -sS -i -X POST 'http://127.0.0.1:9/x' -H 'Content-Type: application/json' -H 'Authorization: Bearer '"$SITEPUB_TOKEN" --data-binary '{"a":"it'\\''s $HOME"}'`,
  );
  const headers = ['-H', 'Content-Type: application/json', '-H', `Authorization: Bearer ${token}`];
  expect(wordsIn('bash', line, { SITEPUB_TOKEN: token })).toEqual([
    ...'curl -sS -i -X POST http://127.0.0.1:9/x'.split(' '),
    ...headers,
    '--data-binary',
    '{"a":"it\'s $HOME"}',
  ]);
});

test('replaces secrets by variables, even several in one word', () => {
  const secrets = secretsWith({ SITEPUB_PASSWORD: 'hunter-2', SITEPUB_API_KEY: 'sp_key' });
  const line = curlLine(requestWith({ body: '{"a":"hunter-2","b":"sp_key","c":"hunter-2"}' }), { secrets });
  expect(line).not.toMatch(/hunter-2|sp_key/);
  expect(wordsIn('bash', line, { SITEPUB_PASSWORD: 'hunter-2', SITEPUB_API_KEY: 'sp_key' }).at(-1)).toBe(
    '{"a":"hunter-2","b":"sp_key","c":"hunter-2"}',
  );
});

test('restores characters of a secret that JSON escapes', () => {
  const body = JSON.stringify({ password });
  const line = curlLine(requestWith({ body }), { secrets: secretsWith({ SITEPUB_PASSWORD: password }) });
  expect(line).not.toContain('quoted');
  expect(wordsIn('bash', line, { SITEPUB_PASSWORD: password }).at(-1)).toBe(body);
});

test('sends no body if the request had none', () => {
  expect(curlLine(requestWith({ body: undefined }), { secrets: secretsWith({}) })).not.toContain(
    '--data-binary',
  );
});

test('cuts long bodies and says so', () => {
  const line = curlLine(requestWith({ body: 'x'.repeat(5000) }), { secrets: secretsWith({}) });
  expect(line).toMatch(/'x{2000}…\(3000 more characters\)'$/);
});

test('uses the proxy and certificates of the run, and hides their secrets', () => {
  const file = (path: string) => ({ path, pem: 'PEM' });
  const connection = {
    proxy: { url: 'http://mei:hunter-2@proxy:3128/', variable: 'HTTP_PROXY' },
    ca: file("the team's ca.pem"),
    cert: file('me.pem'),
    key: file('me.key'),
    passphrase: 'open sesame',
  };
  const { url, ...rest } = requestWith({ body: undefined });
  const secrets = secretsWith({ SITEPUB_HEADER_X_GATE: 's3cr3t' });
  const headers = { 'X-Gate': 's3cr3t' };
  const lineFor = (address: string, variable: string) =>
    curlLine(
      { ...rest, url: address, headers },
      { secrets, connection: { ...connection, proxy: { ...connection.proxy, variable } } },
    );
  const header = `-H 'X-Gate: '"$SITEPUB_HEADER_X_GATE"`;
  const files = `--cacert 'the team'\\''s ca.pem' --cert 'me.pem' --key 'me.key' --pass "$SITEPUB_KEY_PASSPHRASE"`;
  expect(lineFor(url, 'HTTP_PROXY')).toBe(`curl -sS -i -x "$HTTP_PROXY" -X POST '${url}' ${header}`);
  expect(lineFor(url, 'http_proxy')).toBe(`curl -sS -i -X POST '${url}' ${header}`);
  expect(lineFor('https://staging.test/x', 'HTTPS_PROXY')).toBe(
    `curl -sS -i --suppress-connect-headers ${files} -X POST 'https://staging.test/x' ${header}`,
  );
});

function requestWith({ body }: { body: string | undefined }): RequestMessage {
  return {
    method: 'POST',
    url: 'http://127.0.0.1:9/x',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body,
  };
}
