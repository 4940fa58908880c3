// Receivers that meet every promise in unusual ways.
import { gunzipSync } from 'node:zlib';
import type { ReceiverOptions } from '../receiver-options.ts';
import type { Decide, Decision, ReceivedPush } from './open-receiver.ts';
import { decideRightly, isSigned, signatureIn, unless } from './right-receiver.ts';

export interface LawfulReceiver {
  name: string;
  /** Called for each test, because some receivers store pushes. */
  make(): Decide;
  told?: Partial<ReceiverOptions>;
  /** Checks that must pass or stay not verified, and advice that must warn. */
  passes?: readonly string[];
  leavesOpen?: readonly string[];
  warns?: readonly string[];
  drifts?: readonly string[];
}

export function lawful(
  name: string,
  make: LawfulReceiver['make'],
  more: Omit<LawfulReceiver, 'name' | 'make'>,
): LawfulReceiver {
  return { name, make, ...more };
}

export const rightPush = 'recv-1-right-push';
const own = { id: 7, name: 'Café "7"' };

type Body = Record<string, unknown>;
const parsed = ({ body }: ReceivedPush) => JSON.parse(body.toString()) as Body;

/** Answers valid pushes whose body meets the condition differently. */
function refusing(isRefused: (body: Body, seen: ReceivedPush) => boolean, decision: Decision): Decide {
  return unless((seen) => isRefused(parsed(seen), seen), decision);
}

const isForeign = ({ site_id: id }: Body) => id !== own.id;
const isRenamed = (body: Body) => isForeign(body) || body.site_name !== own.name;

/** Refuses a version below the last one. */
function inOrder(): Decide {
  let last = 0;
  return refusing(({ data }) => {
    const { version } = Object(data) as { version?: number };
    const isOld = version !== undefined && version <= last;
    last = Math.max(last, version ?? 0);
    return isOld;
  }, 409);
}

const handlers: Readonly<Record<string, (data: Body) => number>> = {
  'publish.complete': ({ pages }) => (typeof pages === 'number' ? 204 : 422),
  'content.publish': () => 204,
};

/** The header chooses the handler of the event. */
const routed: Decide = (seen, secret) => {
  if (!isSigned(seen, secret)) return 401;
  const handle = handlers[String(seen.headers['x-webhook-event'])];
  return handle ? handle(Object(parsed(seen).data) as Body) : 404;
};

const stale = ({ timestamp }: Body) => Date.now() - Date.parse(String(timestamp)) > 300_000;

export const lawfulReceivers: readonly LawfulReceiver[] = [
  lawful('refuses unknown sites', () => refusing(isForeign, 404), {
    leavesOpen: [rightPush],
    warns: ['advice-foreign-site'],
  }),
  lawful('refuses unknown sites and gets one that it knows', () => refusing(isForeign, 404), {
    told: { site: { id: own.id } },
    passes: [rightPush, 'recv-1-non-ascii-text', 'recv-2-byte-changed'],
    warns: ['advice-foreign-site'],
  }),
  lawful(
    'looks up its secret by site',
    () => (seen, secret) =>
      isSigned(seen, secret) && !isForeign(parsed(seen)) ? 204 : [401, 'wrong signature'],
    { leavesOpen: [rightPush], warns: ['advice-foreign-site'] },
  ),
  lawful('also checks the site name', () => refusing(isRenamed, 422), {
    told: { site: own },
    passes: [rightPush, 'recv-1-non-ascii-text', 'recv-1-in-pieces', 'recv-2-members-swapped'],
  }),
  lawful('also checks the site name, which is not stated', () => refusing(isRenamed, 422), {
    told: { site: { id: own.id } },
    leavesOpen: [rightPush],
  }),
  lawful(
    'accepts only form events, which is not stated',
    () => refusing(({ event }) => event !== 'form.submit', 404),
    {
      passes: [rightPush, 'recv-1-form-submit', 'recv-1-spaced', 'recv-2-zeros'],
      leavesOpen: ['recv-1-publish-complete', 'recv-1-content-publish'],
    },
  ),
  lawful(
    'refuses unknown events in body and header',
    () =>
      refusing(({ event }, { headers }) => [event, headers['x-webhook-event']].includes('site.archive'), 422),
    { passes: [rightPush], warns: ['advice-unknown-event'] },
  ),
  lawful('relies on the event header', () => routed, {
    passes: [rightPush],
    warns: ['advice-event-header-is-not-followed'],
  }),
  lawful(
    'refuses a Content-Type with a charset',
    () => refusing((_body, { headers }) => headers['content-type'] !== 'application/json', 415),
    { passes: [rightPush], warns: ['advice-charset'] },
  ),
  lawful(
    'refuses a Content-Type without a charset',
    () => refusing((_body, { headers }) => headers['content-type'] === 'application/json', 415),
    { passes: [rightPush, 'recv-1-spaced'], drifts: ['webhook.content-type'] },
  ),
  lawful(
    'compares with upper case, which no profile rules out',
    () => (seen, secret) => {
      const [prefix, hex = ''] = signatureIn(seen)?.split('=') ?? [];
      if (hex !== hex.toUpperCase()) return 401;
      const headers = { ...seen.headers, 'x-webhook-signature': `${prefix}=${hex.toLowerCase()}` };
      return decideRightly({ ...seen, headers }, secret);
    },
    { passes: [rightPush, 'recv-1-spaced', 'recv-2-zeros'], drifts: ['webhook.signature-hex'] },
  ),
  lawful(
    'ignores the prefix of the digits',
    () => (seen, secret) => {
      const headers = {
        ...seen.headers,
        'x-webhook-signature': `sha256=${signatureIn(seen)?.split('=').at(-1)}`,
      };
      return decideRightly({ ...seen, headers }, secret);
    },
    {
      passes: [rightPush, 'recv-2-zeros', 'recv-2-unsigned'],
      warns: ['advice-no-prefix', 'advice-other-prefix'],
    },
  ),
  lawful(
    'accepts only JSON',
    () => (seen, secret) =>
      seen.headers['content-type']?.startsWith('application/json') ? decideRightly(seen, secret) : 415,
    { passes: [rightPush, 'recv-2-content-types', 'recv-2-each-event'] },
  ),
  lawful(
    'stores answers and repeats them for duplicates',
    () => {
      const known = new Map<string, Decision>();
      return async (seen, secret) => {
        if (!isSigned(seen, secret)) return 401;
        const key = seen.body.toString('base64');
        const decision = known.get(key) ?? (await decideRightly(seen, secret));
        known.set(key, decision);
        return decision;
      };
    },
    { passes: [rightPush, 'recv-2-known-body', 'recv-1-in-pieces'] },
  ),
  lawful(
    'verifies the decoded text of the whole body',
    () => (seen, secret) => decideRightly({ ...seen, body: Buffer.from(seen.body.toString()) }, secret),
    { passes: [rightPush, 'recv-1-in-pieces', 'recv-1-byte-by-byte', 'recv-2-other-recipe'] },
  ),
  lawful(
    'limits bodies to 100 kB',
    () => (seen, secret) => (seen.body.length > 102_400 ? 413 : decideRightly(seen, secret)),
    { passes: [rightPush, 'recv-1-in-pieces', 'recv-2-digits-changed'] },
  ),
  lawful(
    'decompresses bodies before it verifies',
    () => (seen, secret) => {
      const isPacked = seen.headers['content-encoding'] === 'gzip';
      return decideRightly({ ...seen, body: isPacked ? gunzipSync(seen.body) : seen.body }, secret);
    },
    { passes: [rightPush, 'recv-2-content-types'] },
  ),
  lawful(
    'answers GET with 200',
    () => (seen, secret) => (seen.method === 'GET' ? [200, 'ok'] : decideRightly(seen, secret)),
    { passes: [rightPush, 'recv-2-unsigned-with-headers'] },
  ),
  lawful('refuses old versions', inOrder, { passes: [rightPush, 'recv-1-spaced'] }),
  lawful('refuses old timestamps in the body', () => refusing(stale, 400), {
    passes: [rightPush],
    warns: ['advice-late-retry'],
  }),
  lawful(
    'is behind a firewall that refuses HTML',
    () => refusing((_body, { body }) => /<\/?[a-z]/i.test(body.toString()), 403),
    { passes: [rightPush, 'recv-1-non-ascii-text', 'recv-1-escaped-text'] },
  ),
];
