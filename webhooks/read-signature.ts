import { type RefusedWebhook, refuse, type WebhookHeaders } from './verification.ts';

const name = 'X-Webhook-Signature';
const form = '"sha256=" and 64 hex digits';

export function readSignature(headers: WebhookHeaders): Uint8Array<ArrayBuffer> | RefusedWebhook {
  const values = valuesOf(headers);
  const [value] = values;
  if (value === undefined)
    return refuse('missing-header', `the push has no ${name} header, so it is not signed`);
  if (values.length > 1)
    return refuse('malformed-header', `the push has ${values.length} ${name} headers; one is expected`);
  const hex = /^sha256=([\da-fA-F]{64})$/.exec(value)?.[1];
  // The value comes from an unknown sender and messages end up in logs, so it is not repeated.
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
