import { sign } from '@octokit/webhooks-methods';
import { understandsSecret } from '../blame.ts';
import type { Check, Need } from '../check.ts';
import type { Context } from '../context.ts';
import { testPush } from '../hooks.ts';
import { NotVerified, PromiseBroken } from '../outcomes.ts';
import { bodyOf, describePush, headerOf, isNamedByHeader } from '../read-push.ts';
import type { Push } from '../receiver.ts';
import { channels, eventNames } from '../vocabulary.ts';

const needs: readonly Need[] = ['account', 'site', 'creates', 'receiver'];
const headerNames = ['X-Webhook-Event', 'X-Webhook-Timestamp', 'X-Webhook-Signature'] as const;
/** By how many milliseconds a timestamp may differ from our clock and still be now. */
const toleranceMs = 300_000;

/** The three headers of a signed push, judged on test pushes ("every push"). */
export const signatures: readonly Check[] = [
  {
    id: 'sig-1-three-headers',
    requirement: 'SIG-1',
    needs,
    run: async (context) => {
      await requireHeaders(context, await testPush(context, { channel: 'custom', signed: true }));
      await observeUnsigned(context);
    },
  },
  {
    id: 'sig-2-event-header',
    requirement: 'SIG-2',
    needs,
    run: async (context) => {
      const push = await testPush(context, { channel: 'custom', signed: true });
      const header = present(push, 'X-Webhook-Event');
      const body = bodyOf(push);
      const event = typeof body === 'object' && body !== null ? Reflect.get(body, 'event') : undefined;
      if (header.trim() === '')
        throw new PromiseBroken('an event name in X-Webhook-Event', 'an empty header');
      if (typeof event !== 'string')
        throw new NotVerified(
          'the test message names no event to compare the header with (its body is a gap)',
        );
      if (isNamedByHeader(push, body) && !eventNames.some((name) => name === event))
        throw new NotVerified('the body names no event; see EVENT-2');
      if (header !== event) throw new PromiseBroken(`X-Webhook-Event: ${event}, as in the body`, header);
    },
  },
  {
    id: 'sig-3-timestamp-header',
    requirement: 'SIG-3',
    needs,
    run: async (context) => {
      const push = await testPush(context, { channel: 'custom', signed: true });
      const header = present(push, 'X-Webhook-Timestamp');
      const unit = unitOf(header, push.at);
      if (!unit)
        throw new PromiseBroken(
          `a Unix timestamp of now (${Math.floor(push.at / 1000)} s), digits only`,
          JSON.stringify(header),
        );
      context.observations.compare('webhook.timestamp-unit', unit);
    },
  },
  {
    id: 'sig-4-signature-over-raw-body',
    requirement: 'SIG-4',
    needs,
    run: (context) => verifySignature(context, 'custom'),
  },
  ...channels
    .filter((channel) => channel !== 'custom')
    .map((channel) => ({
      id: `sig-5-${channel}-is-signed`,
      requirement: 'SIG-5',
      needs,
      run: async (context: Context) => {
        await requireHeaders(context, await testPush(context, { channel, signed: true }));
        await verifySignature(context, channel);
      },
    })),
];

/** The unit in which a text of digits is now; undefined where it is in neither. */
export function unitOf(text: string, nowMs: number): 'seconds' | 'milliseconds' | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  if (Math.abs(Number(text) * 1_000 - nowMs) <= toleranceMs) return 'seconds';
  return Math.abs(Number(text) - nowMs) <= toleranceMs ? 'milliseconds' : undefined;
}

/** Where no push at all is signed, the secret may have gone under a name that the deployment does not know. */
async function requireHeaders(context: Context, push: Push): Promise<void> {
  const missing = headerNames.filter((name) => headerOf(push, name) === undefined);
  if (missing.length === 0) return;
  if (!(await isSomePushSigned(context)) && !(await understandsSecret(context)))
    throw new NotVerified(
      'the push is not signed, perhaps for the name of the secret in the request; state subscription.request.secret in the profile',
    );
  throw new PromiseBroken(
    `the headers ${headerNames.join(', ')}`,
    `${missing.join(', ')} missing: ${describePush(push)}`,
  );
}

async function isSomePushSigned(context: Context): Promise<boolean> {
  for (const channel of channels) {
    const push = await testPush(context, { channel, signed: true }).catch(ignoreNotVerified);
    if (push && headerOf(push, 'X-Webhook-Signature') !== undefined) return true;
  }
  return false;
}

function ignoreNotVerified(error: unknown): undefined {
  if (!(error instanceof NotVerified)) throw error;
}

/** A header that SIG-1 asks for; where it is missing, that is SIG-1's matter. */
function present(push: Push, name: (typeof headerNames)[number]): string {
  const value = headerOf(push, name);
  if (value === undefined) throw new NotVerified(`the push has no ${name}; see SIG-1`);
  return value;
}

async function verifySignature(context: Context, channel: string): Promise<void> {
  const push = await testPush(context, { channel, signed: true });
  const actual = present(push, 'X-Webhook-Signature');
  const expected = await signatureOf(push);
  if (!/^sha256=[0-9a-f]{64}$/i.test(actual) || actual.toLowerCase() !== expected) {
    throw new PromiseBroken(
      `X-Webhook-Signature: ${expected}, computed over the ${push.body.length} bytes received`,
      `${actual} on ${describePush(push)}`,
    );
  }
  const hex = actual.slice('sha256='.length);
  if (hex !== hex.toLowerCase()) context.observations.compare('webhook.signature-hex', 'upper');
  else if (hex !== hex.toUpperCase()) context.observations.compare('webhook.signature-hex', 'lower');
}

/** The oracle is a library of its own, which signs texts; bytes that are no UTF-8 are no JSON and get no signature right. */
async function signatureOf({ body, secret }: Push & { secret: string }): Promise<string> {
  const text = body.toString('utf8');
  if (!Buffer.from(text).equals(body))
    throw new PromiseBroken('a body in UTF-8, as JSON is', `${body.toString('base64')} (base64)`);
  return sign(secret, text);
}

async function observeUnsigned(context: Context): Promise<void> {
  if (context.plainSecret !== undefined) return;
  const push = await testPush(context, { channel: 'custom', signed: false });
  const carried = headerNames.filter((name) => headerOf(push, name) !== undefined);
  const form =
    carried.length === 0
      ? 'none'
      : carried.join() === headerNames.slice(0, 2).join()
        ? 'event-and-timestamp'
        : carried.join(', ');
  context.observations.compare('webhook.unsigned-headers', form);
}
