// A deployment whose identifiers and versions are integers that a JavaScript number can't hold, as snowflakes are: they differ only in digits that it loses.
import { changePushText, jsonOf } from './tampering.ts';
import type { Message, Reply, Tamper } from './tampering-proxy.ts';

/** What stands between the suite and a mock, and between the mock and the suite's receiver. */
interface LargeIdentifiers {
  tamper: Tamper;
  tamperPush(push: Message, secret?: string): Message;
}

/** In place of 101, the first site of the demo world. */
export const largeSiteId = 9007199254740993101n;
/** In place of 201, a site of the other tenant. */
export const otherLargeSiteId = 9007199254740993201n;

export function createLargeIdentifiers(): LargeIdentifiers {
  const secrets = new Map<string, string>();
  const rewriting = rewriteTexts(enlarge, shrink);
  return {
    tamper: async (message, forward) => {
      const reply = await rewriting(message, forward);
      const { url, secret } = jsonOf(message.body);
      const target = typeof url === 'string' ? URL.parse(url) : undefined;
      if (target && typeof secret === 'string' && jsonOf(reply.body).code === 0)
        secrets.set(target.pathname + target.search, secret);
      return reply;
    },
    tamperPush: (push, secret) => changePushText(enlarge)(push, secret ?? secrets.get(push.path)),
  };
}

/** The values of the members that identify something, in answers and pushes. */
export const identifierMembers = /("(?:id|\w+_id|version)":\s*)(\d+)/g;

function enlarge(text: string): string {
  return text.replace(
    identifierMembers,
    (_, name: string, id: string) => `${name}9007199254740993${id.padStart(3, '0')}`,
  );
}

function shrink(text: string): string {
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
