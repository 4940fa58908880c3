import { toBytes } from './bytes.ts';
import { checkIds, type Ids } from './identifiers.ts';
import { readEvent } from './read-event.ts';
import {
  type RawBody,
  type RefusedWebhook,
  refuse,
  requireSecrets,
  type Verification,
  type VerifiedWebhook,
  type WebhookHeaders,
  type WebhookSecret,
  WebhookVerificationError,
} from './verification.ts';

export interface WebhookRequest<I extends Ids = 'number'> {
  /** The raw body as received, before any parser. */
  body: RawBody;
  headers: WebhookHeaders;
  /** The signing secret of the subscription, or several while one replaces another. */
  secret: WebhookSecret;
  /** The JavaScript type of identifiers; default: numbers. Pushes with identifiers above 2^53 are then refused. */
  ids?: I;
}

/**
 * Returns the event of a correctly signed push, or the reason to refuse it (section 6.4).
 * Rejects with TypeError without a secret or for an unknown `ids`.
 */
export function verifyWebhook<I extends Ids = 'number'>(
  request: WebhookRequest<I>,
): Promise<Verification<I>> {
  return verify(request);
}

/** Like verifyWebhook, but rejects with WebhookVerificationError if the push must be refused. */
export async function verifyWebhookOrThrow<I extends Ids = 'number'>(
  request: WebhookRequest<I>,
): Promise<VerifiedWebhook<I>> {
  const verification = await verify(request);
  if (!verification.ok) throw new WebhookVerificationError(verification);
  return verification;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** A framework may have replaced the raw body by another value. */
type AnyRequest<I extends Ids> = Omit<WebhookRequest<I>, 'body'> & { body: unknown };

/** Verifies the signature (section 6.4) over the received bytes before it reads the event. */
export async function verify<I extends Ids>({
  body,
  headers,
  secret,
  ids = 'number' as I,
}: AnyRequest<I>): Promise<Verification<I>> {
  const secrets = requireSecrets(secret);
  checkIds(ids);
  const bytes = toBytes(body);
  if (!bytes)
    return refuse('wrong-body-type', `the body is ${describe(body)}; pass the raw body, not the parsed one`);
  const signature = readSignature(headers);
  if ('reason' in signature) return signature;
  // Try all secrets, so that the duration does not reveal which one matches.
  const matches = await Promise.all(secrets.map((one) => isSigned(bytes, signature, one)));
  const secretIndex = matches.indexOf(true);
  if (secretIndex === -1) return refuse('mismatch', explainMismatch(secrets.length));
  const read = readEvent(bytes, ids);
  if ('reason' in read) return read;
  return { ok: true, ...read, idempotencyKey: await hashOf(bytes), secretIndex };
}

/** WebCrypto compares in constant time; `signature` already has its full length. */
async function isSigned(bytes: Bytes, signature: Bytes, secret: string): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const raw = new TextEncoder().encode(secret);
  const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['verify']);
  return crypto.subtle.verify('HMAC', key, signature, bytes);
}

async function hashOf(bytes: Bytes): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function explainMismatch(secrets: number): string {
  const whose = secrets === 1 ? 'the secret' : `any of the ${secrets} secrets`;
  return `X-Webhook-Signature does not match the body with ${whose}: the sender used another secret, or the body changed after signing`;
}

function describe(body: unknown): string {
  if (body === null || body === undefined) return 'missing';
  if (Array.isArray(body)) return 'an array';
  return typeof body === 'object' ? 'an object' : `a ${typeof body}`;
}

const name = 'X-Webhook-Signature';
const form = '"sha256=" and 64 hex digits';

function readSignature(headers: WebhookHeaders): Uint8Array<ArrayBuffer> | RefusedWebhook {
  const values = valuesOf(headers);
  const [value] = values;
  if (value === undefined)
    return refuse('missing-header', `the push has no ${name} header, so it is not signed`);
  if (values.length > 1)
    return refuse('malformed-header', `the push has ${values.length} ${name} headers; one is expected`);
  const hex = /^sha256=([\da-fA-F]{64})$/.exec(value)?.[1];
  // Do not repeat the value: an unknown sender chose it, and messages end up in logs.
  if (hex === undefined) return refuse('malformed-header', `${name} is not ${form}`);
  return Uint8Array.from({ length: 32 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16));
}

function valuesOf(headers: WebhookHeaders): string[] {
  if (isFetchHeaders(headers)) return [headers.get(name)].filter((value) => value !== null);
  return Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name.toLowerCase())
    .flatMap(([, value]) => value ?? []);
}

function isFetchHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}
