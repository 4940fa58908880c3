// Receivers that accept every valid push and some forged ones, with the checks that must fail.
import type { Decide, ReceivedPush } from './open-receiver.ts';
import { decideRightly, hexOf, orIf, signatureIn } from './right-receiver.ts';

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
  return orIf((seen) => seen.method === 'POST' && condition(seen));
}

/** Compares only a part of the digits. */
function comparing(part: (digits: string) => string): Decide {
  return orIf((seen, secret) => {
    const isFull = /^sha256=[0-9a-f]{64}$/.test(givenIn(seen));
    return isFull && part(digitsIn(seen)) === part(hexOf(secret, seen.body));
  });
}

/** Also accepts a second key. */
function orKey(key: (seen: ReceivedPush) => string | undefined): Decide {
  return orIf((seen) => {
    const other = key(seen);
    return other !== undefined && givenIn(seen) === `sha256=${hexOf(other, seen.body)}`;
  });
}

/** Also accepts the signature of another text. */
function orSigned(other: (seen: ReceivedPush) => Buffer | string | undefined): Decide {
  return orIf((seen, secret) => {
    const text = other(seen);
    return text !== undefined && givenIn(seen) === `sha256=${hexOf(secret, text)}`;
  });
}

const isJson = (seen: ReceivedPush) => /^application\/json\b/.test(typeOf(seen));

/** Takes some media types through a parser that does not verify. */
const byType = {
  forms: /^application\/x-www-form-urlencoded/,
  'forms with files': /^multipart\/form-data/,
  texts: /^text\/plain/,
  JSON5: /json5/,
  'types that end in +json': /\+json/,
  bytes: /octet-stream/,
  'JSON in UTF-16': /utf-16/i,
  'pushes without a type': /^$/,
  'everything except JSON': /^(?!application\/json)/,
};

const handled = ['content.publish', 'content.delete', 'form.submit', 'comment.created', 'publish.failed'];
const testEvents = ['test', 'ping', 'webhook.test'];
const words = ['undefined', 'null', 'sha256=undefined', 'sha256=null', 'sha256=NaN', 'none', 'true'];
const isForm = (seen: ReceivedPush) => bodyOf(seen).event === 'form.submit';

/** A receiver for each name. */
function each(names: readonly string[], title: (name: string) => string, decide: (name: string) => Decide) {
  return Object.fromEntries(names.map((name) => [title(name), decide(name)]));
}

/** Receivers by the checks that find them, and by what they do. Other checks may fail as well. */
const byChecks: Readonly<Record<string, Readonly<Record<string, Decide>>>> = {
  'recv-2-content-types': {
    ...Object.fromEntries(
      Object.entries(byType).map(([what, type]) => [
        `verifies in the parser of JSON, and takes ${what} through another one`,
        unverified((seen) => type.test(typeOf(seen))),
      ]),
    ),
    'accepts compressed bodies without verification': unverified(
      ({ headers }) => headers['content-encoding'] !== undefined,
    ),
  },
  'advice-signature-of-nothing': {
    'verifies the body that its JSON parser read, which is empty for other types': orSigned((seen) =>
      isJson(seen) ? undefined : '',
    ),
    'verifies the parsed body, which is an empty object for other types': orSigned((seen) =>
      isJson(seen) ? undefined : '{}',
    ),
  },
  'recv-2-each-event': {
    ...each(
      handled,
      (name) => `has a handler of ${name} that does not verify`,
      (name) => unverified((seen) => bodyOf(seen).event === name),
    ),
    'chooses by the header a handler that does not verify': unverified(
      (seen) => namedIn(seen) === 'content.update',
    ),
    'has a handler that only requires a signature header': unverified(
      (seen) => isForm(seen) && givenIn(seen) !== '',
    ),
    'has a handler that checks only the prefix': unverified(
      (seen) => isForm(seen) && givenIn(seen).startsWith('sha256='),
    ),
    'has a handler with an empty key': orKey((seen) => (isForm(seen) ? '' : undefined)),
    'has a handler that compares only the first digits': (seen, secret) =>
      bodyOf(seen).event === 'comment.created'
        ? comparing((digits) => digits.slice(0, 32))(seen, secret)
        : decideRightly(seen, secret),
    'answers unknown events before it verifies': unverified((seen) => bodyOf(seen).event === 'site.archive'),
  },
  'recv-2-test-event': {
    ...each(
      testEvents,
      (name) => `takes ${name} in the header unsigned`,
      (name) => unverified((seen) => namedIn(seen) === name && givenIn(seen) === ''),
    ),
    ...each(
      testEvents,
      (name) => `takes ${name} in the body unverified`,
      (name) => unverified((seen) => bodyOf(seen).event === name),
    ),
  },
  'recv-2-empty-key': {
    'uses an empty key for unknown sites': (seen, secret) =>
      [101, 7].includes(bodyOf(seen).site_id ?? 0) ? decideRightly(seen, secret) : orKey(() => '')(seen, ''),
    'also accepts an empty key': orKey(() => ''),
    'also accepts the text of an unset key': orKey(() => 'undefined'),
    'accepts an empty key if the body names no site': orKey((seen) =>
      bodyOf(seen).site_id === undefined ? '' : undefined,
    ),
  },
  'recv-2-digits-changed': {
    'compares all digits but the first': comparing((digits) => digits.slice(1)),
    'compares all digits but the last': comparing((digits) => digits.slice(0, -1)),
    'compares all digits but the 31st': comparing((digits) => digits.slice(0, 30) + digits.slice(31)),
  },
  'recv-2-header-empty recv-2-prefix-alone': {
    'searches the given text in the valid signature': (seen, secret) =>
      `sha256=${hexOf(secret, seen.body)}`.includes(givenIn(seen)) ? 200 : 401,
  },
  'recv-2-words': each(
    words,
    (word) => `takes ${word} for a signature`,
    (word) => unverified((seen) => givenIn(seen) === word),
  ),
  'recv-2-unsigned-with-headers': {
    'trusts a header that names its own machine': unverified(
      ({ headers }) => headers['x-forwarded-for'] === '127.0.0.1',
    ),
    'verifies only POST, and takes the method from a header': unverified(
      ({ headers }) => headers['x-http-method-override'] === 'PUT',
    ),
  },
  'recv-2-two-signatures': {
    'does not verify repeated headers': unverified(
      ({ rawHeaders }) => rawHeaders.filter((name) => name === 'X-Webhook-Signature').length > 1,
    ),
  },
  'recv-2-other-recipe': {
    'also accepts a signature over timestamp and body': orSigned(
      (seen) => `${seen.headers['x-webhook-timestamp']}.${seen.body}`,
    ),
    'also accepts HMAC-SHA512 cut to 64 digits': orIf(
      (seen, secret) => givenIn(seen) === `sha256=${hexOf(secret, seen.body, 'sha512').slice(0, 64)}`,
    ),
    'also accepts the signature of the body in lower case': orSigned(({ body }) =>
      body.toString().toLowerCase(),
    ),
  },
  'recv-2-space-added': {
    'also accepts the signature of the trimmed body': orSigned(({ body }) => body.toString().trim()),
  },
};

export const forgeableReceivers = Object.entries(byChecks).flatMap(([checks, receivers]) =>
  Object.entries(receivers).map(([name, decide]) => ({ name, decide, fails: checks.split(' ') })),
);
