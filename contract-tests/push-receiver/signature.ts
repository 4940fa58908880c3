// The three headers of a signed push. The signature of the raw bytes is computed by a third-party library.
import { sign } from '@octokit/webhooks-methods';
import { NotVerified, PromiseBroken } from '../core/outcomes.ts';
import type { Push } from './push-receiver.ts';
import { describePush, headerOf } from './read-push.ts';

export const headerNames = ['X-Webhook-Event', 'X-Webhook-Timestamp', 'X-Webhook-Signature'] as const;

/** Which of these headers a push without a secret has, in the values of webhook.unsigned-headers; any others as a list. */
export function unsignedFormOf(push: Push): string {
  const present = headerNames.filter((name) => headerOf(push, name) !== undefined);
  const isPair = present.join() === headerNames.slice(0, 2).join();
  return present.length === 0 ? 'none' : isPair ? 'event-and-timestamp' : present.join(', ');
}

/** Throws PromiseBroken unless a push has the three headers and the right signature. */
export async function requireSigned(push: Push, secret: string): Promise<void> {
  const missing = missingHeaders(push);
  if (missing.length > 0)
    throw new PromiseBroken(
      `the headers ${headerNames.join(', ')}`,
      `${missing.join(', ')} missing: ${describePush(push)}`,
    );
  await requireSignature(push, secret);
}

export function missingHeaders(push: Push): string[] {
  return headerNames.filter((name) => headerOf(push, name) === undefined);
}

/** A header that SIG-1 requires. Throws NotVerified where it is missing: SIG-1 fails that. */
export function presentHeader(push: Push, name: (typeof headerNames)[number], requirement = 'SIG-1'): string {
  const value = headerOf(push, name);
  if (value === undefined) throw new NotVerified(`the push has no ${name}; see ${requirement}`);
  return value;
}

/** Throws PromiseBroken unless the signature is that of the raw bytes under the secret. Returns its hex as sent. */
export async function requireSignature(push: Push, secret: string): Promise<string> {
  const actual = presentHeader(push, 'X-Webhook-Signature');
  const expected = await signatureOf(push, secret);
  if (!/^sha256=[0-9a-f]{64}$/i.test(actual) || actual.toLowerCase() !== expected) {
    throw new PromiseBroken(
      `X-Webhook-Signature: ${expected}, computed over the ${push.body.length} bytes received`,
      `${actual} on ${describePush(push)}`,
    );
  }
  return actual.slice('sha256='.length);
}

/** The library signs texts; bytes that are no UTF-8 are no JSON. */
async function signatureOf({ body }: Push, secret: string): Promise<string> {
  const text = body.toString('utf8');
  if (!Buffer.from(text).equals(body))
    throw new PromiseBroken('a body in UTF-8, as JSON is', `${body.toString('base64')} (base64)`);
  return sign(secret, text);
}
