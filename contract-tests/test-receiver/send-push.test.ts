import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { eventNames } from '../../openapi/event-names.ts';
import { noProfile } from '../../openapi/profile.ts';
import vectors from '../../openapi/vectors/signatures.json' with { type: 'json' };
import { createFlood, drip, listenTo } from '../testing.ts';
import { pushCurl } from './check-results.ts';
import { createPushFactory, type Difference } from './make-push.ts';
import { digitChanged, fixedSignature, signatureOf } from './make-signature.ts';
import { isLate } from './push-answer.ts';
import { paddedBody, pushBodyOf } from './push-body.ts';
import { sendPush } from './send-push.ts';
import { inTwo } from './sent-push.ts';
import { openReceiver, type ReceivedPush } from './testing/open-receiver.ts';

const push = {
  method: 'POST',
  headers: [],
  body: { text: '{}', bytes: Buffer.from('{}') },
} as unknown as Parameters<typeof sendPush>[0];

test('waits only briefly for the body of an endless answer', async () => {
  const { answer, ms } = await sendTo(drip);
  expect(answer).toMatchObject({ kind: 'answered', status: 200, text: expect.stringMatching(/^x+$/) });
  expect(ms).toBeLessThan(2_000);
});

test('reads 65,536 characters of an endless body', async () => {
  const flood = createFlood();
  const { answer } = await sendTo(flood.fill);
  expect(answer.kind === 'answered' && answer.text.length).toBe(65_536);
  expect(flood.megabytes()).toBeLessThan(64);
});

test('treats a connection timeout as a late answer', async () => {
  const { answer } = await sendTo((response) => response.end('{}'), { timeoutMs: 50, busyMs: 100 });
  expect(answer).toMatchObject({ kind: 'silence', how: 'unconnected' });
  expect(isLate(answer)).toBe(true);
});

test.for([
  ['100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content', { status: 204 }],
  ['102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 401 No', { status: 401 }],
  ['101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade', { how: 'closed' }],
] as const)('reads the final answer after %j', async ([lines, want]) => {
  await using server = await listenTo(
    createSocketServer((socket) => void socket.on('error', () => {}).end(`HTTP/1.1 ${lines}\r\n\r\n`)),
  );
  for (const transport of [{}, { expectContinue: true }, { chunked: true }])
    expect(await send({ ...push, transport }, `${server.origin}/`)).toMatchObject(want);
});

function send(push: Parameters<typeof sendPush>[0], url: string, timeoutMs = 4_000) {
  const { signal } = new AbortController();
  return sendPush(push, { url, bodyMs: 1_000, timeoutMs, signal });
}

async function sendTo(answer: (response: ServerResponse) => void, { timeoutMs = 4_000, busyMs = 0 } = {}) {
  await using server = await listenTo(
    createServer((_request, response) => {
      response.writeHead(200);
      answer(response);
    }),
  );
  const startedAt = performance.now();
  const sent = send(push, `${server.origin}/`, timeoutMs);
  while (performance.now() - startedAt < busyMs);
  return { answer: await sent, ms: performance.now() - startedAt };
}

const valid = vectors.vectors.filter(({ verdict }) => verdict === 'valid');

test.for(valid.map((vector) => [vector.id, vector] as const))('signs like the vector %s', ([, vector]) => {
  const body = { bytes: Buffer.from(vector.body_base64, 'base64'), shell: '' };
  expect(signatureOf(body, vector.secret).value).toBe(vector.signature);
});

test.for([
  ['hex-upper', { form: 'upper' }],
  ['secret-empty', { otherKey: '' }],
  ['sha-512-cut', { algorithm: 'sha512', form: 'first64' }],
  ['digits-63', { form: 'cut' }],
  ['base64', { form: 'base64' }],
  ['sha1', { algorithm: 'sha1', prefix: 'sha1=' }],
  ['sha1-as-sha256', { algorithm: 'sha1' }],
  ['prefix-missing', { prefix: '' }],
  ['prefix-v1', { prefix: 'v1=' }],
] as const)('signs like the invalid vector %s', ([id, shape]) => {
  const vector = vectors.vectors.find((one) => one.id === id);
  const body = { bytes: Buffer.from(vector?.body_base64 ?? '', 'base64'), shell: '' };
  expect(signatureOf(body, vector?.secret ?? '', shape).value).toBe(vector?.signature);
});

test('changes exactly one digit', () => {
  const body = { bytes: Buffer.from('{}'), shell: '' };
  const right = signatureOf(body, 's', { prefix: '' }).value;
  for (let at = 0; at < 64; at++) {
    const wrong = signatureOf(body, 's', { prefix: '', form: digitChanged(at) }).value;
    expect(wrong).toMatch(/^[0-9a-f]{64}$/);
    expect([...wrong].flatMap((digit, index) => (digit === right[index] ? [] : [index]))).toEqual([at]);
  }
});

// Runs the curl lines of reports in a shell and compares the push with the original.
const secret = `it's "k3y" $HOME \\ äöü`;
const tools = ['sh', 'curl', 'openssl'];
const isMissing = tools.some((tool) => spawnSync('which', [tool]).status !== 0);

const differences: readonly (readonly [what: string, difference: Difference])[] = [
  ['a valid push', {}],
  [
    'quotes, percent signs, backslashes and line ends',
    { body: pushBodyOf(`{"a":"it's 100% \\n \\\\"}\r\n\t`) },
  ],
  ['non-ASCII text', { body: pushBodyOf('{"a":"示例 🎉\u2028\uFEFF"}') }],
  ['bytes that are not text', { body: pushBodyOf(Buffer.from([0, 1, 0xff, 0x25, 0x5c, 0x27])) }],
  ['an empty body', { body: pushBodyOf('') }],
  ['a large body', { body: paddedBody('{"a":"{pad}"}', 300_000) }],
  ['a large body in Chinese', { body: paddedBody('{"a":"{pad}"}', 300_000, '已') }],
  ['the signature of another body', { signature: { signed: pushBodyOf('{"b": 1}') } }],
  ['another key', { signature: { otherKey: 'not it' } }],
  ['hex in upper case', { signature: { form: 'upper' } }],
  ['one digit less', { signature: { form: 'cut' } }],
  ['two digits more', { signature: { form: 'longer' } }],
  ['one changed digit', { signature: { form: digitChanged(17) } }],
  ['HMAC-SHA512, cut', { signature: { algorithm: 'sha512', form: 'first64' } }],
  ['an empty key', { signature: { otherKey: '' } }],
  ['no Content-Type', { contentType: null }],
  ['base64', { signature: { form: 'base64' } }],
  ['SHA-1', { signature: { algorithm: 'sha1', prefix: 'sha1=' } }],
  ['no signature', { signature: null }],
  ['an empty signature', { signature: fixedSignature('') }],
  ['a fixed signature', { signature: fixedSignature(`sha256=${Buffer.from('éé').toString('latin1')}`) }],
  ['chunks', { transport: { chunked: true } }],
  ['a body in two parts', { transport: { cut: inTwo } }],
  ['PUT', { method: 'PUT' }],
];

test.skipIf(isMissing).for(differences)(
  'curl sends %s as the check does (needs curl)',
  async ([, difference]) => {
    const seen: ReturnType<typeof essenceOf>[] = [];
    await using receiver = await openReceiver(
      (push) => {
        seen.push(essenceOf(push));
        return 204;
      },
      { secret },
    );
    const push = factoryWith(secret).makePush(difference);
    await send(push, receiver.url);
    const line = pushCurl(push, receiver.url);
    const cwd = mkdtempSync(join(tmpdir(), 'sitepub-curl-'));
    const env = { ...process.env, SITEPUB_WEBHOOK_SECRET: secret };
    const { stdout } = await promisify(execFile)('sh', ['-c', line], { cwd, env });
    expect(stdout).toMatch(/^HTTP\/1.1 204/m);
    expect(seen[1]).toEqual(seen[0]);
    expect(line).not.toContain('\n');
    expect(line.length).toBeLessThan(2_000);
  },
);

test('a curl line contains neither the secret nor the valid signature', () => {
  const line = pushCurl(factoryWith('s3cr3t').makePush(), 'http://127.0.0.1:1/');
  expect(line).not.toContain('s3cr3t');
  expect(line).not.toMatch(/[0-9a-f]{64}/);
  expect(line).toContain(
    `"X-Webhook-Signature: sha256=$(openssl dgst -sha256 -hmac "$SITEPUB_WEBHOOK_SECRET"`,
  );
});

function factoryWith(secret: string) {
  return createPushFactory({ profile: noProfile, secret, events: eventNames, site: {} });
}

function essenceOf({ method, headers, body }: ReceivedPush) {
  const {
    'content-type': type,
    'x-webhook-event': event,
    'x-webhook-timestamp': timestamp,
    'x-webhook-signature': signature,
    'transfer-encoding': encoding,
  } = headers;
  return { method, type, event, timestamp, signature, encoding, body: body.toString('latin1') };
}
