// @module-tag ci
// `sitepub listen`, run as people run it.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { openCommand, openMock } from '../testing.ts';

const { folder, start, run, remove } = openCommand();
afterAll(remove);

const secret = 'k3y-of-the-subscription';
const withSecret = { SITEPUB_WEBHOOK_SECRET: secret };
const event = {
  event: 'publish.complete',
  timestamp: '2026-01-02T03:04:05+08:00',
  site_id: 101,
  site_name: '示例站点',
  data: { message: '12 pages published', pages: 12, version: 7 },
};
const body = JSON.stringify(event);

test('prints each push: whether it is verified, which attempt it is, its headers, body and answer', async () => {
  await using receiver = await openReceiver([], withSecret);
  expect(await sendTo(receiver.url, body, signed(body))).toBe(200);
  expect(await sendTo(`${receiver.url}hooks?a=1`, body, signed(body))).toBe(200);
  expect(await sendTo(receiver.url, body, signed(body))).toBe(200);
  const { stdout } = await receiver.interrupt();
  expect(stdout).toContain(
    '\n  verifies with a secret\n  answers 200, and 401 when the signature is wrong\n',
  );
  const heads = stdout.match(/^\d{4}-.*Z {2}.*$/gm)?.map((line) => line.slice(26));
  expect(heads).toEqual([
    'POST /  publish.complete  attempt 1  verified',
    'POST /hooks?a=1  publish.complete  attempt 1  verified',
    'POST /  publish.complete  attempt 2  verified',
  ]);
  expect(stdout).toContain(`\n  X-Webhook-Signature: ${signed(body)['X-Webhook-Signature']}\n`);
  const pretty = JSON.stringify(event, null, 2).replace(/^/gm, '  ');
  expect(stdout).toContain(`\n\n${pretty}\n\n  answered 200\n`);
});

test('ends with exit code 0 when it is interrupted, also while a push waits for its answer', async () => {
  await using receiver = await openReceiver(['--respond', 'timeout']);
  const waiting = sendTo(receiver.url, body, {});
  let line = '';
  while (!line.includes('POST /')) line = await receiver.line();
  expect(await receiver.interrupt()).toMatchObject({ status: 0, stderr: '' });
  expect(await waiting).toBe('ECONNRESET');
});

test('says of each push that is not verified why, and rejects it', async () => {
  await using receiver = await openReceiver(['--json'], withSecret);
  const send = async (headers: Record<string, string>, bytes: string | Buffer = body) => {
    const status = await sendTo(receiver.url, bytes, headers);
    const { verified, reason, event, answer } = JSON.parse(await receiver.line());
    return { status, verified, reason, event, answer };
  };
  const refused = { status: 401, answer: 401, verified: false, event: 'publish.complete' };
  expect(await send({})).toEqual({ ...refused, reason: 'missing-header' });
  expect(await send({ 'X-Webhook-Signature': 'sha1=00' })).toEqual({
    ...refused,
    reason: 'malformed-header',
  });
  expect(await send(signed(`${body} `))).toEqual({ ...refused, reason: 'mismatch' });
  const taken = { status: 200, answer: 200, verified: true };
  expect(await send(signed(body))).toEqual({ ...taken, event: 'publish.complete' });
  expect(await send(signed('[]'), '[]')).toEqual({ ...taken, reason: 'not-an-event', event: null });
  for (const site of ['1892345678901234567', '1.892345678901234567e18']) {
    const long = body.replace(/("site_id": ?)\d+/, `$1${site}`);
    expect(await send(signed(long), long)).toMatchObject({ ...taken, event: 'publish.complete' });
  }
});

test('a body of more than 8 MB is refused unread, and the next push is taken', async () => {
  await using receiver = await openReceiver(['--json'], withSecret);
  const long = Buffer.alloc(40_000_000, 'x');
  expect(await sendTo(receiver.url, long, signed(body))).toBe(413);
  expect(JSON.parse(await receiver.line())).toMatchObject({
    verified: null,
    too_long: true,
    answer: 413,
    body: '',
  });
  expect(await sendTo(receiver.url, body, signed(body))).toBe(200);
  expect(JSON.parse(await receiver.line())).toMatchObject({ verified: true, answer: 200 });
});

test('one line of JSON a push has all that came', async () => {
  await using receiver = await openReceiver(['--json']);
  await sendTo(`${receiver.url}a`, body, { 'X-One': '1', Authorization: 'Bearer abc' });
  await sendTo(receiver.url, Buffer.from([0xff]), {});
  const [first, second] = [JSON.parse(await receiver.line()), JSON.parse(await receiver.line())];
  expect(first).toMatchObject({
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    method: 'POST',
    path: '/a',
    attempt: 1,
    verified: null,
    event: 'publish.complete',
    headers: { 'x-one': '1', authorization: '(hidden)', 'content-length': String(Buffer.byteLength(body)) },
    body,
    answer: 200,
  });
  expect(second).toMatchObject({ body_base64: '/w==', event: null });
  expect(second).not.toHaveProperty('body');
});

test('answers as it is told, whatever the signature, and the last answer stays', async () => {
  await using receiver = await openReceiver(['--respond', '500,reset,timeout,204'], withSecret);
  expect(await sendTo(receiver.url, body, signed(body))).toBe(500);
  // Whoever only looks takes no answer from the pushes.
  expect((await fetch(receiver.url)).status).toBe(405);
  expect(await sendTo(receiver.url, body, signed(body))).toBe('ECONNRESET');
  expect(await sendTo(receiver.url, body, signed(body), 500)).toBe('timeout');
  expect(await sendTo(receiver.url, body, {})).toBe(204);
  expect(await sendTo(receiver.url, body, {})).toBe(204);
  const { stdout } = await receiver.interrupt();
  expect(stdout.match(/^ {2}(answered|not answered|connection reset).*$/gm)).toEqual([
    '  answered 500',
    '  answered 405',
    '  connection reset',
    '  not answered',
    '  answered 204',
    '  answered 204',
  ]);
});

test('with several secrets each will do, and it says which one it was', async () => {
  const file = join(folder, 'secrets');
  writeFileSync(file, `newer\n${secret}\n`);
  await using receiver = await openReceiver([], { SITEPUB_WEBHOOK_SECRET_FILE: file });
  expect(await sendTo(receiver.url, body, signed(body))).toBe(200);
  const { stdout } = await receiver.interrupt();
  expect(stdout).toContain('attempt 1  verified with secret 2 of 2\n');
});

test('never prints the secret, nor what gives a terminal orders', async () => {
  await using receiver = await openReceiver(['--secret'], withSecret);
  const bad = '{"event":"\\u001b[2J","x":"\u009b31m\u202e"}\u001b]0;gone\u0007';
  await sendTo(receiver.url, bad, { ...signed(bad), 'X-Bad': '\u009b2J' });
  await sendTo(receiver.url, '{"event":"\\u001b[2J"}', {});
  await sendTo(receiver.url, bad, { 'X-Webhook-Signature': `sha256=${'0'.repeat(64)}` });
  const { stdout, stderr } = await receiver.interrupt();
  expect(stdout + stderr).not.toContain(secret);
  expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(stdout).toContain('\\u001b]0;gone\\u0007');
  expect(stdout).toContain('POST /  \\u001b[2J  attempt 1');
});

test('shows the retries of the mock as attempts of one push', async () => {
  await using mock = await openMock();
  await using receiver = await openReceiver(['--json', '--respond', '500,500,200'], withSecret);
  const [tenant] = mock.tenants;
  const answer = await fetch(`${mock.baseUrl}/tenant/sites/${tenant?.sites[0]?.id}/webhooks`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${tenant?.apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: receiver.url, events: ['publish.complete'], channel: 'custom', secret }),
  });
  expect(await answer.json()).toMatchObject({ code: 0 });
  await mock.control.causeEvent({ event: 'publish.complete', site_id: Number(tenant?.sites[0]?.id) });
  await mock.control.moveClock({ advance: 'PT36M' });
  const lines = [await receiver.line(), await receiver.line(), await receiver.line()].map((line) =>
    JSON.parse(line),
  );
  expect(lines.map(({ attempt, verified, answer }) => [attempt, verified, answer])).toEqual([
    [1, true, 500],
    [2, true, 500],
    [3, true, 200],
  ]);
});

test('passes pushes on, and answers as the target does', async () => {
  const came: string[] = [];
  const target = createServer((request, response) => {
    came.push(`${request.method} ${request.url} ${request.headers['x-webhook-signature']}`);
    response.writeHead(418).end();
  });
  target.listen(0, '127.0.0.1');
  await once(target, 'listening');
  const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/hooks`;
  await using receiver = await openReceiver(['--forward-to', url], withSecret);
  expect(await sendTo(`${receiver.url}shop`, body, signed(body))).toBe(418);
  target.close();
  target.closeAllConnections();
  expect(await sendTo(receiver.url, body, {})).toBe(502);
  const { stdout } = await receiver.interrupt();
  expect(came).toEqual([`POST /hooks/shop ${signed(body)['X-Webhook-Signature']}`]);
  expect(stdout).toContain(`\n  passes each push on to ${url}, and answers as that does\n`);
  expect(stdout).toContain('attempt 1  verified\n');
  expect(stdout).toContain(`\n  answered 418 by ${url}/shop\n`);
  expect(stdout).toContain(`\n  answered 502: it could not be passed on to ${url}: ECONNREFUSED\n`);
});

test.for([
  [['--secret', 's'], {}, 'secrets are not taken from flags'],
  [['--secret'], {}, '--secret demands a signing secret; set SITEPUB_WEBHOOK_SECRET'],
  [['--respond', 'soon'], {}, '--respond holds "soon"'],
  [['--listen', 'nowhere'], {}, '--listen is "nowhere"'],
  [['--listen', '192.0.2.1:80'], {}, "can't listen on 192.0.2.1:80 (EADDRNOTAVAIL)"],
  [['--frobnicate'], {}, 'unknown flag --frobnicate'],
] as const)('%j is refused', async ([args, environment, want]) => {
  const { status, stderr, stdout } = await run(['listen', ...args], environment);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(want);
});

/** The command on a free port, killed when its scope ends. */
async function openReceiver(args: readonly string[], environment: Record<string, string> = {}) {
  const child = start(['listen', '--listen', '127.0.0.1:0', ...args], environment);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const stderr = text(child.stderr);
  const ended = once(child, 'exit');
  const seen: string[] = [];
  /** The next line that is not empty. */
  const line = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the receiver has ended: ${await stderr}`);
    seen.push(value);
    return value.trim() === '' ? line() : value;
  };
  const first = await line();
  const url: string = first.startsWith('{') ? JSON.parse(first).url : first;
  const interrupt = async () => {
    child.kill('SIGINT');
    for await (const rest of { [Symbol.asyncIterator]: () => lines }) seen.push(rest);
    const [status] = await ended;
    return { status, stdout: seen.join('\n'), stderr: await stderr };
  };
  return {
    url,
    line,
    interrupt,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function signed(bytes: string): { 'X-Webhook-Signature': string } {
  return { 'X-Webhook-Signature': `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}` };
}

/** The status of the answer, or how there was none. */
function sendTo(
  url: string,
  bytes: string | Buffer,
  headers: Record<string, string>,
  timeoutMs = 20_000,
): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = request(url, { method: 'POST', headers, timeout: timeoutMs }, (response) => {
      response.resume();
      resolve(Number(response.statusCode));
    });
    sent.on('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(code));
    sent.on('timeout', () => {
      resolve('timeout');
      sent.destroy();
    });
    sent.end(bytes);
  });
}
