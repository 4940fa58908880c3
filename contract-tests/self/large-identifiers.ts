// Turns identifiers and versions into integers above 2^53 that differ only in digits that a JavaScript number loses.
import type { Message, Reply, Tamper } from './tampering-proxy.ts';

/** Replaces 101, the first site of the demo world. */
export const largeSiteId = 9007199254740993101n;
/** Replaces 201, a site of the other tenant. */
export const otherLargeSiteId = 9007199254740993201n;

/** Matches identifier members in answers and pushes. */
export const identifierMembers = /("(?:id|\w+_id|version)":\s*)(\d+)/g;

export function enlarge(text: string): string {
  return text.replace(
    identifierMembers,
    (_, name: string, id: string) => `${name}9007199254740993${id.padStart(3, '0')}`,
  );
}

export function shrink(text: string): string {
  return text.replace(/9007199254740993(\d{3,})/g, (_, id: string) => String(Number(id)));
}

/** Changes answer bodies, request bodies and paths. */
export function rewriteTexts(answer: (text: string) => string, request: (text: string) => string): Tamper {
  return async (message: Message, forward) => {
    const changed = {
      ...message,
      path: request(message.path),
      body: Buffer.from(request(message.body.toString())),
    };
    const reply: Reply = await forward(changed);
    return { ...reply, body: Buffer.from(answer(reply.body.toString())) };
  };
}
