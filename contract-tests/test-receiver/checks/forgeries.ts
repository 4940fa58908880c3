// Pushes that anybody can send without the secret. They find receivers that verify only some pushes, or only part of the signature.
import { gzipSync } from 'node:zlib';
import { eventNames } from '../../../openapi/event-names.ts';
import { writeJson } from '../../core/parse-json.ts';
import type { EventBody } from '../event-samples.ts';
import type { Difference } from '../make-push.ts';
import { digitChanged, fixedSignature } from '../make-signature.ts';
import { pushBodyOf } from '../push-body.ts';
import type { ReceiverCheck } from '../receiver-check.ts';
import type { ReceiverContext } from '../receiver-context.ts';
import type { SentPush } from '../sent-push.ts';
import { bestRefusesEach, refusesEach, type Variant } from './refuses.ts';

/** Too long to be the secret of a receiver by chance. */
export const otherKey = 'sitepub test-receiver: a secret that is not the secret of any receiver';

type Forgery = readonly [how: string, signature: NonNullable<Difference['signature']> | null];

/** The ones that are most likely accepted come first. */
const forgeries: readonly Forgery[] = [
  ['unsigned', null],
  ['signed with another secret', { otherKey }],
  ['signed with an empty secret', { otherKey: '' }],
  ['with only "sha256=" as signature', fixedSignature('sha256=')],
  ['with the last digit changed', { form: digitChanged(63) }],
  ['with the first digit changed', { form: digitChanged(0) }],
  ['with an empty signature', fixedSignature('')],
  ['with 64 zeros', fixedSignature(`sha256=${'0'.repeat(64)}`)],
  ['with 63 digits', { form: 'cut' }],
  ['signed with HMAC-SHA1', { algorithm: 'sha1', prefix: 'sha1=' }],
];

/** Every kind with the first forgery, then every kind with the second, and so on. */
function forge(kinds: readonly Variant[], some = forgeries): Variant[] {
  return some.flatMap(([how, signature]) =>
    kinds.map(([kind, wrong]): Variant => {
      return [
        `${kind}, ${how}`,
        typeof wrong === 'function'
          ? async (context) => ({ ...(await wrong(context)), signature })
          : { ...wrong, signature },
      ];
    }),
  );
}

const named = (event: string): Difference => ({
  change: (body: EventBody) => ({ ...body, event }),
  named: event,
});

const events: readonly Variant[] = [
  ...eventNames.map((event): Variant => [event, { event }]),
  ['an undocumented event', named('site.archive')],
];

const tests: readonly Variant[] = ['test', 'ping', 'webhook.test'].flatMap((name): Variant[] => [
  [`X-Webhook-Event: ${name}`, { named: name }],
  [`event ${name}`, named(name)],
]);

type Headers = SentPush['headers'];
const withHeaders =
  (...more: Headers) =>
  (headers: Headers): Headers => [...headers, ...more];

const form = 'application/x-www-form-urlencoded';
const boundary = 'sitepub-test-receiver';

/** A push whose body the receiver may not parse as JSON. */
function encoded(contentType: string | null, write: (text: string, event: EventBody) => string | Buffer) {
  return ({ factory }: ReceiverContext): Difference => {
    const event = factory.sampleEvent();
    return { contentType, body: pushBodyOf(write(writeJson(event), event)) };
  };
}

const asText = (text: string) => text;
const [inForm, inText, inNone] = [
  encoded(form, asText),
  encoded('text/plain', asText),
  encoded(null, asText),
];

const contentTypes: readonly Variant[] = [
  [form, inForm],
  ['text/plain', inText],
  ['no Content-Type', inNone],
  ['application/json5', encoded('application/json5', asText)],
  [
    `${form} with fields`,
    encoded(form, (text, { event }) => `${new URLSearchParams({ event, payload: text })}`),
  ],
  [
    'multipart/form-data',
    encoded(
      `multipart/form-data; boundary=${boundary}`,
      (text) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="payload"\r\n\r\n${text}\r\n--${boundary}--\r\n`,
    ),
  ],
  ['application/vnd.api+json', encoded('application/vnd.api+json', asText)],
  ['application/octet-stream', encoded('application/octet-stream', asText)],
  [
    'application/json; charset=utf-16',
    encoded('application/json; charset=utf-16', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le')),
  ],
  ['text/json', encoded('text/json', asText)],
  [
    'Content-Encoding: gzip',
    ({ factory }) => ({
      body: pushBodyOf(gzipSync(writeJson(factory.sampleEvent()))),
      headers: withHeaders(['Content-Encoding', 'gzip']),
    }),
  ],
];

/** The signatures that a receiver computes if its parser discards bodies of this type. */
const lost = ['', '{}', 'undefined', 'null', '[object Object]'].flatMap((text) =>
  (
    [
      [form, inForm],
      ['text/plain', inText],
      ['no Content-Type', inNone],
      ['application/json', encoded('application/json', asText)],
    ] as const
  ).map(
    ([kind, wrong]): Variant => [
      `${kind}, with the signature of ${text === '' ? 'the empty string' : text}`,
      (context) => ({ ...wrong(context), signature: { signed: pushBodyOf(text) } }),
    ],
  ),
);

/** Sites for which a lookup of the key by site fails. */
const sites: readonly Variant[] = [
  ['about the usual site', {}],
  [
    'about an unknown site',
    { change: (body) => ({ ...body, site_id: 2_147_480_000, site_name: 'No Such Site' }) },
  ],
  ['without a site', { change: ({ site_id: _id, ...body }) => body }],
];

const emptyKeys = ['', 'undefined', 'null'].map(
  (otherKey): Forgery => [`signed with ${otherKey === '' ? 'the empty string' : otherKey}`, { otherKey }],
);

const words = ['undefined', 'null', 'none', 'NaN', 'true', 'false', '0', '*', '[object Object]'];

/** From the outside to the inside, beginning with the last digit. */
const digits = Array.from({ length: 64 }, (_, at) => (at % 2 === 0 ? 63 - at / 2 : (at - 1) / 2));

export const forgedPushes: readonly ReceiverCheck[] = [
  refusesEach('each-event', 'a push of each event with an invalid signature', forge(events)),
  refusesEach(
    'test-event',
    'a test or ping push with an invalid signature',
    forge(tests, forgeries.slice(0, 3)),
  ),
  refusesEach(
    'content-types',
    'a push of another Content-Type with an invalid signature',
    forge(contentTypes, forgeries.slice(0, 6)),
  ),
  refusesEach('empty-key', 'a push signed with the key of a missing secret', forge(sites, emptyKeys)),
  refusesEach(
    'digits-changed',
    'a push whose signature has one wrong digit',
    digits.map((at): Variant => [`digit ${at + 1}`, { signature: { form: digitChanged(at) } }]),
  ),
  refusesEach(
    'words',
    'a push with a word as its signature',
    words.flatMap((word) =>
      [word, `sha256=${word}`].map((value): Variant => [value, { signature: fixedSignature(value) }]),
    ),
  ),
  refusesEach(
    'unsigned-with-headers',
    'an unsigned push with headers of a trusted sender',
    (
      [
        ['X-Forwarded-For', '127.0.0.1'],
        ['X-Real-IP', '127.0.0.1'],
        ['X-HTTP-Method-Override', 'PUT'],
      ] as const
    ).map((header): Variant => [header.join(': '), { signature: null, headers: withHeaders(header) }]),
  ),
];

/** Only advice, because this signature requires the secret or a signed empty push. */
export const lostBodies: ReceiverCheck = bestRefusesEach(
  'signature-of-nothing',
  'a push with the signature of an empty body',
  lost,
);
