// Receivers that accept every valid push and some forged ones, with the checks that must fail.
import type { Decide, ReceivedPush } from './open-receiver.ts';
import { decideRightly, hexOf, signatureIn } from './right-receiver.ts';

interface ForgeableReceiver {
  name: string;
  decide: Decide;
  /** Other checks may also fail. */
  fails: readonly string[];
}

const typeOf = ({ headers }: ReceivedPush) => headers['content-type'] ?? '';
const namedIn = ({ headers }: ReceivedPush) => String(headers['x-webhook-event']);
const givenIn = (seen: ReceivedPush) => signatureIn(seen) ?? '';
const digitsIn = (seen: ReceivedPush) => givenIn(seen).replace(/^sha256=/, '');

function bodyOf({ body }: ReceivedPush): { event?: string; site_id?: number } {
  try {
    return Object(JSON.parse(body.toString()));
  } catch {
    return {};
  }
}

/** Accepts pushes that meet the condition without verification. */
function unverified(condition: (seen: ReceivedPush) => boolean): Decide {
  return (seen, secret) => (seen.method === 'POST' && condition(seen) ? 200 : decideRightly(seen, secret));
}

/** Compares only a part of the digits. */
function comparing(part: (digits: string) => string): Decide {
  return (seen, secret) => {
    const isFull = /^sha256=[0-9a-f]{64}$/.test(givenIn(seen));
    return isFull && part(digitsIn(seen)) === part(hexOf(secret, seen.body))
      ? 200
      : decideRightly(seen, secret);
  };
}

/** Also accepts a second key. */
function orKey(key: (seen: ReceivedPush) => string | undefined): Decide {
  return (seen, secret) => {
    const other = key(seen);
    const isOther = other !== undefined && givenIn(seen) === `sha256=${hexOf(other, seen.body)}`;
    return isOther ? 200 : decideRightly(seen, secret);
  };
}

/** Also accepts the signature of another text. */
function orSigned(other: (seen: ReceivedPush) => Buffer | string | undefined): Decide {
  return (seen, secret) => {
    const text = other(seen);
    const isOther = text !== undefined && givenIn(seen) === `sha256=${hexOf(secret, text)}`;
    return isOther ? 200 : decideRightly(seen, secret);
  };
}

const isJson = (seen: ReceivedPush) => /^application\/json\b/.test(typeOf(seen));

export const forgeableReceivers: readonly ForgeableReceiver[] = [
  ...(
    [
      ['forms', /^application\/x-www-form-urlencoded/],
      ['forms with files', /^multipart\/form-data/],
      ['texts', /^text\/plain/],
      ['JSON5', /json5/],
      ['types that end in +json', /\+json/],
      ['bytes', /octet-stream/],
      ['JSON in UTF-16', /utf-16/i],
      ['pushes without a type', /^$/],
      ['everything except JSON', /^(?!application\/json)/],
    ] as const
  ).map(([what, type]) => ({
    name: `verifies in the parser of JSON, and takes ${what} through another one`,
    decide: unverified((seen) => type.test(typeOf(seen))),
    fails: ['recv-2-content-types'],
  })),
  {
    name: 'accepts compressed bodies without verification',
    decide: unverified(({ headers }) => headers['content-encoding'] !== undefined),
    fails: ['recv-2-content-types'],
  },
  {
    name: 'verifies the body that its JSON parser read, which is empty for other types',
    decide: orSigned((seen) => (isJson(seen) ? undefined : '')),
    fails: ['advice-signature-of-nothing'],
  },
  {
    name: 'verifies the parsed body, which is an empty object for other types',
    decide: orSigned((seen) => (isJson(seen) ? undefined : '{}')),
    fails: ['advice-signature-of-nothing'],
  },
  ...['content.publish', 'content.delete', 'form.submit', 'comment.created', 'publish.failed'].map(
    (name) => ({
      name: `has a handler of ${name} that does not verify`,
      decide: unverified((seen) => bodyOf(seen).event === name),
      fails: ['recv-2-each-event'],
    }),
  ),
  {
    name: 'chooses by the header a handler that does not verify',
    decide: unverified((seen) => namedIn(seen) === 'content.update'),
    fails: ['recv-2-each-event'],
  },
  {
    name: 'has a handler that only requires a signature header',
    decide: unverified((seen) => bodyOf(seen).event === 'form.submit' && givenIn(seen) !== ''),
    fails: ['recv-2-each-event'],
  },
  {
    name: 'has a handler that checks only the prefix',
    decide: unverified((seen) => bodyOf(seen).event === 'form.submit' && givenIn(seen).startsWith('sha256=')),
    fails: ['recv-2-each-event'],
  },
  {
    name: 'has a handler with an empty key',
    decide: orKey((seen) => (bodyOf(seen).event === 'form.submit' ? '' : undefined)),
    fails: ['recv-2-each-event'],
  },
  {
    name: 'has a handler that compares only the first digits',
    decide: (seen, secret) =>
      bodyOf(seen).event === 'comment.created'
        ? comparing((digits) => digits.slice(0, 32))(seen, secret)
        : decideRightly(seen, secret),
    fails: ['recv-2-each-event'],
  },
  ...['test', 'ping', 'webhook.test'].flatMap((name) => [
    {
      name: `takes ${name} in the header unsigned`,
      decide: unverified((seen) => namedIn(seen) === name && givenIn(seen) === ''),
      fails: ['recv-2-test-event'],
    },
    {
      name: `takes ${name} in the body unverified`,
      decide: unverified((seen) => bodyOf(seen).event === name),
      fails: ['recv-2-test-event'],
    },
  ]),
  {
    name: 'answers unknown events before it verifies',
    decide: unverified((seen) => bodyOf(seen).event === 'site.archive'),
    fails: ['recv-2-each-event'],
  },
  {
    name: 'uses an empty key for unknown sites',
    decide: (seen, secret) =>
      [101, 7].includes(bodyOf(seen).site_id ?? 0) ? decideRightly(seen, secret) : orKey(() => '')(seen, ''),
    fails: ['recv-2-empty-key'],
  },
  { name: 'also accepts an empty key', decide: orKey(() => ''), fails: ['recv-2-empty-key'] },
  {
    name: 'also accepts the text of an unset key',
    decide: orKey(() => 'undefined'),
    fails: ['recv-2-empty-key'],
  },
  {
    name: 'accepts an empty key if the body names no site',
    decide: orKey((seen) => (bodyOf(seen).site_id === undefined ? '' : undefined)),
    fails: ['recv-2-empty-key'],
  },
  ...(
    [
      ['the first 8 digits', (digits: string) => digits.slice(0, 8)],
      ['the last 8 digits', (digits: string) => digits.slice(-8)],
      ['the first 32 digits', (digits: string) => digits.slice(0, 32)],
      ['all digits but the first', (digits: string) => digits.slice(1)],
      ['all digits but the last', (digits: string) => digits.slice(0, -1)],
      ['all digits but the 31st', (digits: string) => digits.slice(0, 30) + digits.slice(31)],
      ['every other digit', (digits: string) => digits.replace(/(.)./g, '$1')],
      ['only the format', () => ''],
    ] as const
  ).map(([what, part]) => ({
    name: `compares ${what}`,
    decide: comparing(part),
    fails: ['recv-2-digits-changed'],
  })),
  {
    name: 'searches the given text in the valid signature',
    decide: (seen, secret) => (`sha256=${hexOf(secret, seen.body)}`.includes(givenIn(seen)) ? 200 : 401),
    fails: ['recv-2-header-empty', 'recv-2-prefix-alone'],
  },
  ...['undefined', 'null', 'sha256=undefined', 'sha256=null', 'sha256=NaN', 'none', 'true'].map((word) => ({
    name: `takes ${word} for a signature`,
    decide: unverified((seen) => givenIn(seen) === word),
    fails: ['recv-2-words'],
  })),
  {
    name: 'trusts a header that names its own machine',
    decide: unverified(({ headers }) => headers['x-forwarded-for'] === '127.0.0.1'),
    fails: ['recv-2-unsigned-with-headers'],
  },
  {
    name: 'verifies only POST, and takes the method from a header',
    decide: unverified(({ headers }) => headers['x-http-method-override'] === 'PUT'),
    fails: ['recv-2-unsigned-with-headers'],
  },
  {
    name: 'does not verify repeated headers',
    decide: unverified(
      ({ rawHeaders }) => rawHeaders.filter((name) => name === 'X-Webhook-Signature').length > 1,
    ),
    fails: ['recv-2-two-signatures'],
  },
  {
    name: 'also accepts a signature over timestamp and body',
    decide: orSigned((seen) => `${seen.headers['x-webhook-timestamp']}.${seen.body}`),
    fails: ['recv-2-other-recipe'],
  },
  {
    name: 'also accepts HMAC-SHA512 cut to 64 digits',
    decide: (seen, secret) =>
      givenIn(seen) === `sha256=${hexOf(secret, seen.body, 'sha512').slice(0, 64)}`
        ? 200
        : decideRightly(seen, secret),
    fails: ['recv-2-other-recipe'],
  },
  {
    name: 'also accepts the signature of the trimmed body',
    decide: orSigned(({ body }) => body.toString().trim()),
    fails: ['recv-2-space-added'],
  },
  {
    name: 'also accepts the signature of the body in lower case',
    decide: orSigned(({ body }) => body.toString().toLowerCase()),
    fails: ['recv-2-other-recipe'],
  },
];
