// The curl lines of reports, run by a shell: what arrives is what the check had sent.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { eventNames } from '../../openapi/event-names.ts';
import { noProfile } from '../../openapi/profile.ts';
import { inTwo } from './cut-body.ts';
import { createPushFactory, type Difference } from './make-push.ts';
import { digitChanged, fixedSignature } from './make-signature.ts';
import { paddedBody, pushBodyOf } from './push-body.ts';
import { pushCurl } from './push-curl.ts';
import { sendPush } from './send-push.ts';
import { openReceiver, type ReceivedPush } from './testing/open-receiver.ts';

const secret = `it's "k3y" $HOME \\ äöü`;
const tools = ['sh', 'curl', 'openssl'];
const isMissing = tools.some((tool) => spawnSync('which', [tool]).status !== 0);

const differences: readonly (readonly [what: string, difference: Difference])[] = [
  ['a right push', {}],
  [
    'quotes, percent signs, backslashes and line ends',
    { body: pushBodyOf(`{"a":"it's 100% \\n \\\\"}\r\n\t`) },
  ],
  ['text that is not ASCII', { body: pushBodyOf('{"a":"示例 🎉\u2028\uFEFF"}') }],
  ['bytes that are no text', { body: pushBodyOf(Buffer.from([0, 1, 0xff, 0x25, 0x5c, 0x27])) }],
  ['an empty body', { body: pushBodyOf('') }],
  ['a large body', { body: paddedBody('{"a":"{pad}"}', 300_000) }],
  ['a large body in Chinese', { body: paddedBody('{"a":"{pad}"}', 300_000, '已') }],
  ['the signature of another body', { signature: { signed: pushBodyOf('{"b": 1}') } }],
  ['another key', { signature: { otherKey: 'not it' } }],
  ['hex in upper case', { signature: { form: 'upper' } }],
  ['a digit less', { signature: { form: 'cut' } }],
  ['two digits more', { signature: { form: 'longer' } }],
  ['a digit changed', { signature: { form: digitChanged(17) } }],
  ['HMAC-SHA512, cut', { signature: { algorithm: 'sha512', form: 'first64' } }],
  ['the empty key', { signature: { otherKey: '' } }],
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
    const folder = mkdtempSync(join(tmpdir(), 'sitepub-curl-'));
    const seen: ReturnType<typeof essenceOf>[] = [];
    await using receiver = await openReceiver(
      (push) => {
        seen.push(essenceOf(push));
        return 204;
      },
      { secret },
    );
    const push = createPushFactory({ profile: noProfile, secret, events: eventNames, site: {} }).makePush(
      difference,
    );
    await sendPush(push, {
      url: receiver.url,
      bodyMs: 1_000,
      timeoutMs: 5_000,
      signal: new AbortController().signal,
    });
    const line = pushCurl(push, receiver.url);
    const env = { ...process.env, SITEPUB_WEBHOOK_SECRET: secret };
    const { stdout } = await promisify(execFile)('sh', ['-c', line], { cwd: folder, env });
    rmSync(folder, { recursive: true });
    expect(stdout).toMatch(/^HTTP\/1.1 204/m);
    expect(seen[1]).toEqual(seen[0]);
    expect(line).not.toContain('\n');
    expect(line.length).toBeLessThan(2_000);
  },
);

test('a curl line holds neither the secret nor the right signature', () => {
  const push = createPushFactory({
    profile: noProfile,
    secret: 's3cr3t',
    events: eventNames,
    site: {},
  }).makePush();
  const line = pushCurl(push, 'http://127.0.0.1:1/');
  expect(line).not.toContain('s3cr3t');
  expect(line).not.toMatch(/[0-9a-f]{64}/);
  expect(line).toContain(
    `"X-Webhook-Signature: sha256=$(openssl dgst -sha256 -hmac "$SITEPUB_WEBHOOK_SECRET"`,
  );
});

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
