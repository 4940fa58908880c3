import { createHash } from 'node:crypto';
import { writeJson } from '../../core/parse-json.ts';
import type { EventBody } from '../event-samples.ts';
import { unixTime } from '../make-push.ts';
import { fixedSignature } from '../make-signature.ts';
import { pushBodyOf } from '../push-body.ts';
import type { ReceiverCheck } from '../receiver-check.ts';
import { otherKey } from './forgeries.ts';
import { refuses, refusesEach, type Variant } from './refuses.ts';

/** Pushes with a valid body and an invalid signature. */
export const wrongSignatures: readonly ReceiverCheck[] = [
  refuses('signature-of-other-secret', 'a push signed with another secret', { signature: { otherKey } }),
  refuses('signature-of-other-body', 'a push with the signature of another push', ({ factory }) => ({
    signature: { signed: pushBodyOf(writeJson(factory.sampleEvent())) },
  })),
  {
    ...refuses('known-body', 'an already accepted body, signed with another secret', async (context) => {
      const { push } = await context.sendNew();
      return { body: push.body, signature: { otherKey } };
    }),
    pushes: 2,
  },
  refuses('header-missing', 'a push without X-Webhook-Signature', { signature: null }),
  refuses('unsigned', 'a push without any of the three headers', {
    headers: (headers) => headers.filter(([name]) => !name.startsWith('X-Webhook-')),
  }),
  refuses('header-empty', 'a push with an empty X-Webhook-Signature', { signature: fixedSignature('') }),
  refuses('prefix-alone', 'a push with only "sha256=" as signature', {
    signature: fixedSignature('sha256='),
  }),
  refuses('sha1', 'a push signed with HMAC-SHA1, after "sha1="', {
    signature: { algorithm: 'sha1', prefix: 'sha1=' },
  }),
  refuses('sha1-as-sha256', 'a push signed with HMAC-SHA1, after "sha256="', {
    signature: { algorithm: 'sha1' },
  }),
  refuses('plain-hash', 'a push with the SHA-256 of its body, which needs no secret', ({ factory }) => {
    const body = pushBodyOf(writeJson(factory.sampleEvent()));
    const hash = createHash('sha256').update(body.bytes).digest('hex');
    return { body, signature: fixedSignature(`sha256=${hash}`) };
  }),
  refuses('hex-cut', 'a push with 63 of the 64 digits', { signature: { form: 'cut' } }),
  refuses('hex-longer', 'a push with two extra digits', { signature: { form: 'longer' } }),
  refuses('base64', 'a push with the valid digest in base64', { signature: { form: 'base64' } }),
  refuses('not-hex', 'a push with 64 letters that are not hex', {
    signature: fixedSignature(`sha256=${'z'.repeat(64)}`),
  }),
  refuses('zeros', 'a push with 64 zeros', { signature: fixedSignature(`sha256=${'0'.repeat(64)}`) }),
  refuses('not-ascii', 'a push with non-ASCII letters in its signature', {
    signature: fixedSignature(`sha256=${Buffer.from('é'.repeat(64)).toString('latin1')}`),
  }),
  refusesEach('two-signatures', 'a push with two invalid signatures', [
    ['in one header', { signature: fixedSignature(`sha256=${'1'.repeat(64)}, sha256=${'2'.repeat(64)}`) }],
    [
      'in two headers',
      {
        signature: fixedSignature(`sha256=${'1'.repeat(64)}`),
        headers: (headers) => [...headers, ['X-Webhook-Signature', `sha256=${'2'.repeat(64)}`]],
      },
    ],
  ]),
  refusesEach('other-recipe', 'a push signed with the secret by another scheme', [
    ['the first 64 digits of HMAC-SHA512', { signature: { algorithm: 'sha512', form: 'first64' } }],
    ['the timestamp, a dot and the body', ofText((text, timestamp) => `${timestamp}.${text}`)],
    ['the timestamp and the body', ofText((text, timestamp) => `${timestamp}${text}`)],
    ['only the timestamp', ofText((_text, timestamp) => timestamp)],
    ['the body in lower case', ofText((text) => text.toLowerCase())],
    ['only the data', ofText((_text, _timestamp, { data }) => writeJson(data))],
  ]),
];

/** A valid push with the signature of another text. */
function ofText(textOf: (text: string, timestamp: string, event: EventBody) => string): Variant[1] {
  return ({ factory }) => {
    const event = factory.sampleEvent();
    const text = writeJson(event);
    const timestamp = unixTime(Date.now(), factory.usual.unit);
    return {
      body: pushBodyOf(text),
      timestamp,
      signature: { signed: pushBodyOf(textOf(text, timestamp, event)) },
    };
  };
}
