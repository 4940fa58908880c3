// Receivers that take every right push, and against which anybody can forge one; with the checks that fail for it.
import type { Decide, ReceivedPush } from './open-receiver.ts';
import { decideRightly, hexOf, signatureIn } from './right-receiver.ts';

interface ForgeableReceiver {
  name: string;
  decide: Decide;
  /** Other checks may fail as well. */
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

/** Right, except for pushes that fulfil the condition: they are taken as they are. */
function unverified(condition: (seen: ReceivedPush) => boolean): Decide {
  return (seen, secret) => (seen.method === 'POST' && condition(seen) ? 200 : decideRightly(seen, secret));
}

/** Compares what a function leaves of the digits. */
function comparing(part: (digits: string) => string): Decide {
  return (seen, secret) => {
    const isFull = /^sha256=[0-9a-f]{64}$/.test(givenIn(seen));
    return isFull && part(digitsIn(seen)) === part(hexOf(secret, seen.body))
      ? 200
      : decideRightly(seen, secret);
  };
}

/** Takes a second key as well. */
function orKey(key: (seen: ReceivedPush) => string | undefined): Decide {
  return (seen, secret) => {
    const other = key(seen);
    const isOther = other !== undefined && givenIn(seen) === `sha256=${hexOf(other, seen.body)}`;
    return isOther ? 200 : decideRightly(seen, secret);
  };
}

/** Takes a signature of something else as well. */
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
      ['whatever is not JSON', /^(?!application\/json)/],
    ] as const
  ).map(([what, type]) => ({
    name: `verifies in the parser of JSON, and takes ${what} through another one`,
    decide: unverified((seen) => type.test(typeOf(seen))),
    fails: ['recv-2-content-types'],
  })),
  {
    name: 'takes compressed bodies unverified',
    decide: unverified(({ headers }) => headers['content-encoding'] !== undefined),
    fails: ['recv-2-content-types'],
  },
  {
    name: 'verifies in the parser of JSON, and the empty text of what that leaves out',
    decide: orSigned((seen) => (isJson(seen) ? undefined : '')),
    fails: ['advice-signature-of-nothing'],
  },
  {
    name: 'verifies what its parser makes of other types, which is an empty object',
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
    name: 'has a handler, chosen by the header, that does not verify',
    decide: unverified((seen) => namedIn(seen) === 'content.update'),
    fails: ['recv-2-each-event'],
  },
  {
    name: 'has a handler that wants a signature, and does not look at it',
    decide: unverified((seen) => bodyOf(seen).event === 'form.submit' && givenIn(seen) !== ''),
    fails: ['recv-2-each-event'],
  },
  {
    name: 'has a handler that looks at the prefix alone',
    decide: unverified((seen) => bodyOf(seen).event === 'form.submit' && givenIn(seen).startsWith('sha256=')),
    fails: ['recv-2-each-event'],
  },
  {
    name: 'has a handler whose key is empty',
    decide: orKey((seen) => (bodyOf(seen).event === 'form.submit' ? '' : undefined)),
    fails: ['recv-2-each-event'],
  },
  {
    name: 'has a handler that compares the first digits',
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
    name: 'answers events that it does not know before it verifies',
    decide: unverified((seen) => bodyOf(seen).event === 'site.archive'),
    fails: ['recv-2-each-event'],
  },
  {
    name: 'has the empty key for sites that it does not know',
    decide: (seen, secret) =>
      [101, 7].includes(bodyOf(seen).site_id ?? 0) ? decideRightly(seen, secret) : orKey(() => '')(seen, ''),
    fails: ['recv-2-empty-key'],
  },
  { name: 'takes the empty key as well', decide: orKey(() => ''), fails: ['recv-2-empty-key'] },
  {
    name: 'takes the text of a key that is not set as well',
    decide: orKey(() => 'undefined'),
    fails: ['recv-2-empty-key'],
  },
  {
    name: 'takes the empty key where the body names no site',
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
      ['nothing but their form', () => ''],
    ] as const
  ).map(([what, part]) => ({
    name: `compares ${what}`,
    decide: comparing(part),
    fails: ['recv-2-digits-changed'],
  })),
  {
    name: 'looks for what it was given in the right signature',
    decide: (seen, secret) => (`sha256=${hexOf(secret, seen.body)}`.includes(givenIn(seen)) ? 200 : 401),
    fails: ['recv-2-header-empty', 'recv-2-prefix-alone'],
  },
  ...['undefined', 'null', 'sha256=undefined', 'sha256=null', 'sha256=NaN', 'none', 'true'].map((word) => ({
    name: `takes ${word} for a signature`,
    decide: unverified((seen) => givenIn(seen) === word),
    fails: ['recv-2-words'],
  })),
  {
    name: 'trusts its own machine, and a header that names it',
    decide: unverified(({ headers }) => headers['x-forwarded-for'] === '127.0.0.1'),
    fails: ['recv-2-unsigned-with-headers'],
  },
  {
    name: 'verifies POST alone, and takes the method from a header',
    decide: unverified(({ headers }) => headers['x-http-method-override'] === 'PUT'),
    fails: ['recv-2-unsigned-with-headers'],
  },
  {
    name: 'does not understand two headers',
    decide: unverified(
      ({ rawHeaders }) => rawHeaders.filter((name) => name === 'X-Webhook-Signature').length > 1,
    ),
    fails: ['recv-2-two-signatures'],
  },
  {
    name: 'takes a signature over timestamp and body as well',
    decide: orSigned((seen) => `${seen.headers['x-webhook-timestamp']}.${seen.body}`),
    fails: ['recv-2-other-recipe'],
  },
  {
    name: 'takes HMAC-SHA512, cut to 64 digits, as well',
    decide: (seen, secret) =>
      givenIn(seen) === `sha256=${hexOf(secret, seen.body, 'sha512').slice(0, 64)}`
        ? 200
        : decideRightly(seen, secret),
    fails: ['recv-2-other-recipe'],
  },
  {
    name: 'takes the signature of the trimmed body as well',
    decide: orSigned(({ body }) => body.toString().trim()),
    fails: ['recv-2-space-added'],
  },
  {
    name: 'takes the signature of the body in lower case as well',
    decide: orSigned(({ body }) => body.toString().toLowerCase()),
    fails: ['recv-2-other-recipe'],
  },
];
