// The headers of a signed push. A third-party library computes the signature, so that the suite does not check its own code.
import { sign } from '@octokit/webhooks-methods';
import { NotVerified, PromiseBroken } from '../core/outcomes.ts';
import type { Push } from './push-receiver.ts';
import { describePush, headerOf } from './read-push.ts';

export const headerNames = ['X-Webhook-Event', 'X-Webhook-Timestamp', 'X-Webhook-Signature'] as const;

/** The headers of an unsigned push as a value of webhook.unsigned-headers, or as a list. */
export function unsignedFormOf(push: Push): string {
  const present = headerNames.filter((name) => headerOf(push, name) !== undefined);
  const isPair = present.join() === headerNames.slice(0, 2).join();
  return present.length === 0 ? 'none' : isPair ? 'event-and-timestamp' : present.join(', ');
}

/** Throws PromiseBroken unless the push has the three headers and a valid signature. */
export async function requireSigned(push: Push, secret: string): Promise<void> {
  const missing = missingHeaders(push);
  if (missing.length > 0)
    throw new PromiseBroken(
      `the headers ${headerNames.join(', ')}`,
      `${missing.join(', ')} missing; the push: ${describePush(push)}`,
    );
  await requireSignature(push, secret);
}

export function missingHeaders(push: Push): string[] {
  return headerNames.filter((name) => headerOf(push, name) === undefined);
}

/** A header that SIG-1 requires. Throws NotVerified if it is missing, because SIG-1 reports that. */
export function presentHeader(push: Push, name: (typeof headerNames)[number], requirement = 'SIG-1'): string {
  const value = headerOf(push, name);
  if (value === undefined) throw new NotVerified(`the push has no ${name}; see ${requirement}`);
  return value;
}

/** Throws PromiseBroken unless the signature is valid for the raw bytes. Returns its hex as sent. */
export async function requireSignature(push: Push, secret: string): Promise<string> {
  const actual = presentHeader(push, 'X-Webhook-Signature');
  const expected = await signatureOf(push, secret);
  if (!/^sha256=[0-9a-f]{64}$/i.test(actual) || actual.toLowerCase() !== expected) {
    throw new PromiseBroken(
      `X-Webhook-Signature: ${expected}, computed over the ${push.body.length} bytes received`,
      `${actual}; the push: ${describePush(push)}`,
    );
  }
  return actual.slice('sha256='.length);
}

/** The library signs strings, so the body must be UTF-8. */
async function signatureOf({ body }: Push, secret: string): Promise<string> {
  const text = body.toString('utf8');
  if (!Buffer.from(text).equals(body))
    throw new PromiseBroken('a JSON body in UTF-8', `${body.toString('base64')} (base64)`);
  return sign(secret, text);
}
