// Receivers with one common mistake each, and the checks that must fail.
import type { ReceiverOptions } from '../receiver-options.ts';
import type { Decide, ReceivedPush, ReceiverTraits } from './open-receiver.ts';
import { decideRightly, hexOf, isSigned, signatureIn } from './right-receiver.ts';
import { profileWith } from './run.ts';

interface WrongReceiver {
  name: string;
  decide: Decide;
  traits?: Omit<ReceiverTraits, 'secret'>;
  told?: Partial<ReceiverOptions>;
  fails: readonly string[];
}

const parsed = ({ body }: ReceivedPush) => JSON.parse(body.toString()) as Record<string, unknown>;
const accepts = (isRight: boolean) => (isRight ? 204 : 401);

/** Verifies reserialized JSON. */
const parsesFirst: Decide = (seen, secret) => {
  try {
    return accepts(signatureIn(seen) === `sha256=${hexOf(secret, JSON.stringify(parsed(seen)))}`);
  } catch {
    return 400;
  }
};

const comparesUpperCase: Decide = (seen, secret) =>
  accepts(signatureIn(seen) === `sha256=${hexOf(secret, seen.body).toUpperCase()}`);

const comparesBase64: Decide = (seen, secret) =>
  accepts(signatureIn(seen) === `sha256=${Buffer.from(hexOf(secret, seen.body), 'hex').toString('base64')}`);

const forgetsPrefix: Decide = (seen, secret) => accepts(signatureIn(seen) === hexOf(secret, seen.body));

const needsHeader: Decide = (seen, secret) => {
  if (signatureIn(seen) === undefined) throw new TypeError('there is no such header');
  return decideRightly(seen, secret);
};

const verifiesIfSigned: Decide = (seen, secret) => (signatureIn(seen) ? decideRightly(seen, secret) : 204);

const comparesBeginning: Decide = (seen, secret) =>
  accepts((signatureIn(seen) ?? '-').startsWith(`sha256=${hexOf(secret, seen.body)}`));

const comparesAsLong: Decide = (seen, secret) =>
  accepts(`sha256=${hexOf(secret, seen.body)}`.startsWith(signatureIn(seen) || '-'));

const readsLatin1: Decide = (seen, secret) =>
  accepts(signatureIn(seen) === `sha256=${hexOf(secret, seen.body.toString('latin1'))}`);

const readsFirstPart: Decide = (seen, secret) =>
  decideRightly({ ...seen, body: seen.parts[0] ?? Buffer.of() }, secret);

/** Like `body += chunk`. */
const decodesParts: Decide = (seen, secret) =>
  decideRightly({ ...seen, body: Buffer.from(seen.parts.map(String).join('')) }, secret);

/** Accepts known bodies before it verifies their signature. */
function remembersFirst(): Decide {
  const known = new Set<string>();
  return (seen, secret) => {
    const text = seen.body.toString('latin1');
    if (known.has(text)) return 200;
    if (isSigned(seen, secret)) known.add(text);
    return decideRightly(seen, secret);
  };
}

function wrong(
  name: string,
  fails: readonly string[],
  decide: Decide,
  more: Pick<WrongReceiver, 'traits' | 'told'> = {},
): WrongReceiver {
  return { name, fails, decide, ...more };
}

export const wrongReceivers: readonly WrongReceiver[] = [
  wrong(
    'verifies reserialized JSON',
    [
      'recv-1-escaped-text',
      'recv-1-pretty-printed',
      'recv-1-spaced',
      'recv-1-trailing-newline',
      'recv-1-crlf-and-tabs',
      'recv-2-space-added',
      'recv-2-space-put-in',
      'recv-2-signature-of-compact-body',
    ],
    parsesFirst,
  ),
  wrong('compares with upper case', ['recv-1-right-push'], comparesUpperCase, {
    told: { profile: profileWith({ 'webhook.signature-hex': 'lower' }) },
  }),
  wrong('forgets the prefix', ['recv-1-right-push'], forgetsPrefix),
  wrong('crashes without the signature header', ['recv-1-accepted-after-others'], needsHeader, {
    traits: { isFragile: true },
  }),
  wrong('answers everything with 500', ['recv-1-right-push'], () => 500),
  wrong('compares in base64', ['recv-1-right-push'], comparesBase64),
  wrong(
    'uses another key than the secret',
    ['recv-1-right-push'],
    (seen, secret) => decideRightly(seen, `${secret} `),
    { told: { site: { id: 7 } } },
  ),
  wrong('refuses everything', ['recv-1-right-push'], () => 400, {
    told: { site: { id: 7, name: 'Seven' }, events: ['publish.complete'] },
  }),
  wrong(
    'answers valid pushes in Chinese with 503',
    ['recv-1-non-ascii-text'],
    (seen, secret) => (/[^\0-~]/.test(seen.body.toString()) ? 503 : decideRightly(seen, secret)),
    { told: { only: ['recv-1-non-ascii-text', 'recv-1-escaped-text'] } },
  ),
  wrong(
    'verifies only signed pushes',
    [
      'recv-2-unsigned',
      'recv-2-header-missing',
      'recv-2-header-empty',
      'recv-2-each-event',
      'recv-2-test-event',
      'recv-2-content-types',
      'recv-2-unsigned-with-headers',
    ],
    verifiesIfSigned,
  ),
  wrong('compares only the beginning', ['recv-2-hex-longer'], comparesBeginning),
  wrong(
    'compares only as many digits as it gets',
    ['recv-2-prefix-alone', 'recv-2-hex-cut', 'recv-2-each-event', 'recv-2-content-types'],
    comparesAsLong,
    // Some valid signatures begin with 0, which is one of the words.
    { told: { skip: ['recv-2-words'] } },
  ),
  wrong(
    'reads the body as Latin-1',
    ['recv-1-non-ascii-text', 'recv-1-in-pieces', 'recv-1-byte-by-byte'],
    readsLatin1,
  ),
  wrong('reads only the first part of the body', ['recv-1-in-pieces', 'recv-1-byte-by-byte'], readsFirstPart),
  wrong(
    'decodes each part of the body separately',
    ['recv-1-in-pieces', 'recv-1-byte-by-byte'],
    decodesParts,
  ),
  wrong('checks for duplicates before it verifies', ['recv-2-known-body'], remembersFirst(), {
    // Within one second, some events have the same body, so other invalid pushes may be known.
    told: { only: ['RECV-1', 'recv-2-known-body', 'recv-2-zeros'] },
  }),
];
