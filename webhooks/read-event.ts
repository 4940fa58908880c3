import type { WebhookEvent } from './event.ts';
import { type RefusedWebhook, refuse } from './verification.ts';

/** The members that section 6.3 gives every event. More of them, and unknown names of events, are welcome. */
const members: Readonly<Record<string, { type: string; fits(value: unknown): boolean }>> = {
  event: { type: 'a string', fits: isText },
  timestamp: { type: 'a string', fits: isText },
  site_id: { type: 'an integer', fits: Number.isInteger },
  site_name: { type: 'a string', fits: isText },
  data: { type: 'an object', fits: isObject },
};

/** The event in a body whose signature is right. */
export function readEvent(bytes: Uint8Array<ArrayBuffer>): WebhookEvent | RefusedWebhook {
  const body = parse(bytes);
  if (!isObject(body))
    return refuse('not-an-event', 'the push is rightly signed, but its body is no JSON object in UTF-8');
  const wrong = Object.entries(members).find(([name, { fits }]) => !fits(body[name]));
  if (wrong)
    return refuse(
      'not-an-event',
      `the push is rightly signed, but "${wrong[0]}" in its body is not ${wrong[1].type}`,
    );
  return body as unknown as WebhookEvent;
}

/** Undefined for what is no JSON, and for what is nested deeper than the engine can follow. */
function parse(bytes: Uint8Array<ArrayBuffer>): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes), withoutPrototypes);
  } catch {
    return undefined;
  }
}

/** A member of this name is harmless by itself, and changes prototypes where somebody copies or merges it. */
function withoutPrototypes(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
