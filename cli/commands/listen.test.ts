// @module-tag ci
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { openReceiver as openTarget } from '../../mock/testing/open-mock.ts';
import { text as body, event, signatureOf } from '../../webhooks/testing.ts';
import { linesOf, openCommand } from '../testing.ts';

const { folder, start } = openCommand();

const secret = 'k3y-of-the-subscription';
const withSecret = { SITEPUB_WEBHOOK_SECRET: secret };

test('prints the verdict, attempt, headers, body and answer of each push', async () => {
  const file = join(folder, 'secrets');
  writeFileSync(file, `newer\n${secret}\n`);
  await using receiver = await openReceiver(['--secret'], { SITEPUB_WEBHOOK_SECRET_FILE: file });
  const bad = '{"event":"\\u001b[2J","x":"\u009b31m\u202e"}\u001b]0;gone\u0007';
  expect(await sendTo(receiver.url, body, signed(body))).toBe(200);
  expect(await sendTo(`${receiver.url}hooks?a=1`, body, signed(body))).toBe(200);
  expect(await sendTo(receiver.url, body, signed(body))).toBe(200);
  await sendTo(receiver.url, bad, { ...signed(bad), 'X-Bad': '\u009b2J' });
  const { stdout, stderr } = await receiver.interrupt();
  expect(stdout).toContain('\n  answers 200, or 401 if the signature is wrong\n');
  const heads = stdout.match(/^\d{4}-.*Z {2}.*$/gm)?.map((line) => line.slice(26));
  expect(heads?.slice(0, 3)).toEqual([
    'POST /  publish.complete  attempt 1  verified with secret 2 of 2',
    'POST /hooks?a=1  publish.complete  attempt 1  verified with secret 2 of 2',
    'POST /  publish.complete  attempt 2  verified with secret 2 of 2',
  ]);
  expect(stdout).toContain(`\n  X-Webhook-Signature: ${signed(body)['X-Webhook-Signature']}\n`);
  const pretty = JSON.stringify(event, null, 2).replace(/^/gm, '  ');
  expect(stdout).toContain(`\n\n${pretty}\n\n  answered 200\n`);
  expect(stdout + stderr).not.toContain(secret);
  expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(stdout).toContain('\\u001b]0;gone\\u0007');
});

test('exits with 0 when it is interrupted, even while a push waits for its answer', async () => {
  await using receiver = await openReceiver(['--respond', 'timeout']);
  const waiting = sendTo(receiver.url, body, {});
  let line = '';
  while (!line.includes('POST /')) line = await receiver.line();
  expect(await receiver.interrupt()).toMatchObject({ status: 0, stderr: '' });
  expect(await waiting).toBe('ECONNRESET');
});

test('rejects a push that is not verified, and says why', async () => {
  await using receiver = await openReceiver(['--json'], withSecret);
  const refused = { status: 401, answer: 401, verified: false, event: 'publish.complete' };
  const taken = { status: 200, answer: 200, verified: true };
  const longs = ['1892345678901234567', '1.892345678901234567e18'].map((site) =>
    body.replace(/("site_id": ?)\d+/, `$1${site}`),
  );
  const rows: [headers: Record<string, string>, bytes: string | Buffer, want: object][] = [
    [{}, body, { ...refused, reason: 'missing-header' }],
    [{ 'X-Webhook-Signature': 'sha1=00' }, body, { ...refused, reason: 'malformed-header' }],
    [signed(`${body} `), body, { ...refused, reason: 'mismatch' }],
    [signed('[]'), '[]', { ...taken, reason: 'not-an-event', event: null }],
    ...longs.map((bytes): (typeof rows)[number] => [signed(bytes), bytes, taken]),
    // A body of more than 8 MB is not read.
    [signed(body), Buffer.alloc(40_000_000, 'x'), { status: 413, verified: null, too_long: true, body: '' }],
    [signed(body), body, { ...taken, event: 'publish.complete' }],
  ];
  for (const [headers, bytes, want] of rows) {
    const status = await sendTo(receiver.url, bytes, headers);
    expect({ status, ...JSON.parse(await receiver.line()) }).toMatchObject(want);
  }
});

test('answers with --respond for any signature, and repeats the last step', async () => {
  await using receiver = await openReceiver(['--respond', '500,reset,timeout,204'], withSecret);
  expect(await sendTo(receiver.url, body, signed(body))).toBe(500);
  // Other methods use up no answer.
  expect((await fetch(receiver.url)).status).toBe(405);
  expect(await sendTo(receiver.url, body, signed(body))).toBe('ECONNRESET');
  expect(await sendTo(receiver.url, body, signed(body), 500)).toBe('timeout');
  expect(await sendTo(receiver.url, body, {})).toBe(204);
  expect(await sendTo(receiver.url, body, {})).toBe(204);
  const { stdout } = await receiver.interrupt();
  const said = stdout.match(/^ {2}(answered|not answered|connection reset).*$/gm)?.map((line) => line.trim());
  const answers = ['answered 500', 'answered 405', 'connection reset', 'not answered'];
  expect(said).toEqual([...answers, 'answered 204', 'answered 204']);
});

test('forwards pushes, and answers as the target does', async () => {
  const target = await openTarget(() => ({ status: 418 }));
  const url = `${target.url}/hooks`;
  await using receiver = await openReceiver(['--forward-to', url], withSecret);
  expect(await sendTo(`${receiver.url}shop`, body, signed(body))).toBe(418);
  target.close();
  expect(await sendTo(receiver.url, body, {})).toBe(502);
  const { stdout } = await receiver.interrupt();
  const headers = { 'x-webhook-signature': signed(body)['X-Webhook-Signature'] };
  expect(target.received).toMatchObject([{ method: 'POST', path: '/hooks/shop', headers }]);
  for (const line of [
    `  forwards each push to ${url}, and answers as it answers`,
    `  answered 418 by ${url}/shop`,
    `  answered 502: it could not be forwarded to ${url}: ECONNREFUSED`,
  ])
    expect(stdout).toContain(`\n${line}\n`);
});

async function openReceiver(args: readonly string[], environment: Record<string, string> = {}) {
  const child = start(['listen', '--listen', '127.0.0.1:0', ...args], environment);
  const [next, stderr, ended] = [linesOf(child.stdout), text(child.stderr), once(child, 'exit')];
  const seen: string[] = [];
  /** The next line that is not empty. */
  const line = async (): Promise<string> => {
    const value = await next();
    if (value === undefined) throw new Error(`the receiver has ended: ${await stderr}`);
    seen.push(value);
    return value.trim() === '' ? line() : value;
  };
  const first = await line();
  const url: string = first.startsWith('{') ? JSON.parse(first).url : first;
  const interrupt = async () => {
    child.kill('SIGINT');
    for (let rest = await next(); rest !== undefined; rest = await next()) seen.push(rest);
    const [status] = await ended;
    return { status, stdout: seen.join('\n'), stderr: await stderr };
  };
  return {
    ...{ url, line, interrupt },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function signed(bytes: string): { 'X-Webhook-Signature': string } {
  return { 'X-Webhook-Signature': signatureOf(bytes, secret) };
}

/** The status of the answer, or the error. */
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
