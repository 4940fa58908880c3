import { loadProfile, makeProfile, statedValues } from '../../../openapi/profile.ts';
import { changePushText, jsonOf } from '../tampering.ts';
import type { Message, Reply, Tamper } from '../tampering-proxy.ts';
import type { VerdictRow } from './verdict-row.ts';

const full = { tier: 'full', cases: 4 } as const;

export const identifierRows: readonly VerdictRow[] = [
  {
    behaviour: 'identifiers that are integers above 2^53',
    run: () => ({
      tamper: () => rewriteTexts(enlarge, shrink),
      tamperPush: changePushText(enlarge),
      options: { ...full, siteId: 9007199254740993101n, other: { ...zoe, siteId: 9007199254740993201n } },
    }),
    passes: [
      'HOOK-1',
      'HOOK-10',
      'HOOK-11',
      'AUTH-6',
      'EVENT-1',
      'EVENT-13',
      'IDEM-1',
      'IDEM-3',
      'KEY-4',
      'LOG-1',
    ],
  },
  {
    behaviour: 'identifiers that are numbers in creations and texts in lists',
    run: () => ({ tamper: () => rewriteTexts(idsOfListsAsTexts, (text) => text), options: full }),
    passes: ['HOOK-1', 'HOOK-11', 'EVENT-1', 'EVENT-13', 'IDEM-4'],
  },
  {
    behaviour: 'subscription identifiers with any characters',
    run: () => ({
      tamper: () =>
        rewriteTexts(decorateIds, (text) => text.replace(/n%C2%B0%20(\d+)%2F~(?:%C3%BC)/gi, '$1')),
      options: full,
    }),
    passes: ['HOOK-1', 'HOOK-10', 'HOOK-11', 'AUTH-1', 'EVENT-13'],
  },
  {
    behaviour: 'an identifier with a letter behind it, taken for the identifier',
    run: () => ({ variations: ['lenient-ids'], options: { ...full, cases: 24 } }),
    passes: ['HOOK-9', 'HOOK-11'],
    remarks: ['lenient-identifier'],
  },
  {
    behaviour: 'a site of the number that nobody should have',
    run: () => ({
      sabotage: ({ service: { world } }) => {
        const [first] = world.sites.values();
        if (first) world.sites.set(2_147_483_646, { ...first, id: 2_147_483_646 });
      },
      told: makeProfile(
        { ...statedValues(loadProfile('default')), 'operation.list-sites': 'unknown' },
        { name: 'no list', source: 'test' },
      ),
      options: full,
    }),
    passes: ['HOOK-9', 'HOOK-11'],
  },
];

const zoe = { username: 'zoe@blumenladen.example', password: 'demo-password-zoe' };

/** Numbers that differ only in digits that a JavaScript number loses. */
function enlarge(text: string): string {
  return text.replace(
    /("(?:id|site_id)":\s*)(\d+)/g,
    (_, name: string, id: string) => `${name}9007199254740993${id.padStart(3, '0')}`,
  );
}

function shrink(text: string): string {
  return text.replace(/9007199254740993(\d{3,})/g, (_, id: string) => String(Number(id)));
}

function idsOfListsAsTexts(text: string): string {
  return text.includes('"list":') ? text.replace(/"id":(\d+)/g, '"id":"$1"') : text;
}

/** Only subscriptions have a URL beside their id. */
function decorateIds(text: string): string {
  const { data } = jsonOf(Buffer.from(text)) as { data?: { url?: unknown } };
  return data?.url === undefined ? text : text.replace(/"id":(\d+)/, '"id":"n° $1/~ü"');
}

/** Changes the texts of all answers, and those of requests and their paths. */
function rewriteTexts(answer: (text: string) => string, request: (text: string) => string): Tamper {
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
