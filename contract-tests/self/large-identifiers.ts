// A deployment whose identifiers and versions are integers that a JavaScript number can't hold, as snowflakes are: they differ only in digits that it loses.
import type { Message, Reply, Tamper } from './tampering-proxy.ts';

/** In place of 101, the first site of the demo world. */
export const largeSiteId = 9007199254740993101n;
/** In place of 201, a site of the other tenant. */
export const otherLargeSiteId = 9007199254740993201n;

/** The values of the members that identify something, in answers and pushes. */
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

/** Changes the texts of all answers, and those of requests and their paths. */
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
