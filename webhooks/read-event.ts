import type { WebhookEvent } from './event.ts';
import { type Ids, readIds, UnsafeInteger } from './identifiers.ts';
import { type Reason, type RefusedWebhook, refuse } from './verification.ts';

/** The members of every event (section 6.3). Additional members and unknown event names are accepted. */
const members: Readonly<Record<string, { type: string; fits(value: unknown): boolean }>> = {
  event: { type: 'a string', fits: isText },
  timestamp: { type: 'a string', fits: isText },
  site_id: { type: 'an integer', fits: Number.isInteger },
  site_name: { type: 'a string', fits: isText },
  data: { type: 'an object', fits: isObject },
};

const noObject = 'its body is not a JSON object in UTF-8';

/** Call it only after verifying the signature. */
export function readEvent<I extends Ids>(
  bytes: Uint8Array<ArrayBuffer>,
  ids: I,
): { event: WebhookEvent<I> } | RefusedWebhook {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const wrong = explainWrong(JSON.parse(text));
    if (wrong !== undefined) return refuseBody('not-an-event', wrong);
    return { event: readIds(text, ids) as WebhookEvent<I> };
  } catch (error) {
    if (error instanceof UnsafeInteger) return refuseBody('unsafe-integer', `in its body ${error.message}`);
    // The body is not UTF-8, not JSON, or nested too deeply for the engine.
    return refuseBody('not-an-event', noObject);
  }
}

function explainWrong(body: unknown): string | undefined {
  if (!isObject(body)) return noObject;
  const wrong = Object.entries(members).find(([name, { fits }]) => !fits(body[name]));
  return wrong && `"${wrong[0]}" in its body is not ${wrong[1].type}`;
}

function refuseBody(reason: Reason, why: string): RefusedWebhook {
  return refuse(reason, `the push is signed correctly, but ${why}`);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
