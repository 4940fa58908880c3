import type { WebhookEvent } from './event.ts';
import { type RefusedWebhook, refuse } from './verification.ts';

/** The members of every event (section 6.3). Further members, and unknown event names, are accepted. */
const members: Readonly<Record<string, { type: string; fits(value: unknown): boolean }>> = {
  event: { type: 'a string', fits: isText },
  timestamp: { type: 'a string', fits: isText },
  site_id: { type: 'an integer', fits: Number.isInteger },
  site_name: { type: 'a string', fits: isText },
  data: { type: 'an object', fits: isObject },
};

/** Reads the event in a body whose signature is right. */
export function readEvent(bytes: Uint8Array<ArrayBuffer>): WebhookEvent | RefusedWebhook {
  const body = parse(bytes);
  if (!isObject(body))
    return refuse('not-an-event', 'the push is signed correctly, but its body is not a JSON object in UTF-8');
  const wrong = Object.entries(members).find(([name, { fits }]) => !fits(body[name]));
  if (wrong)
    return refuse(
      'not-an-event',
      `the push is signed correctly, but "${wrong[0]}" in its body is not ${wrong[1].type}`,
    );
  return body as unknown as WebhookEvent;
}

/** Undefined for a text that is not JSON, or nested too deeply for the engine. */
function parse(bytes: Uint8Array<ArrayBuffer>): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes), withoutPrototypes);
  } catch {
    return undefined;
  }
}

/** Removes `__proto__`, which would change prototypes when somebody copies or merges the event. */
function withoutPrototypes(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
