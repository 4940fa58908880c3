import { profileWith } from '../../../mock/testing/open-mock.ts';
import { namingOthers, profileNamingOthers, type WrongGap } from '../naming-others.ts';
import type { MockRun } from '../run-against-mock.ts';
import { changePushText, jsonOf } from '../tampering.ts';
import type { Tamper } from '../tampering-proxy.ts';
import { row, type VerdictRow } from './verdict-row.ts';

const full = { tier: 'full', cases: 4 } as const;

// Identifiers and versions above 2^53 differ only in digits that a JavaScript number loses.

/** Replaces 101, the first site of the demo world. */
const largeSiteId = 9007199254740993101n;
/** Replaces 201, a site of the other tenant. */
const otherLargeSiteId = 9007199254740993201n;

/** Matches identifier members in answers and pushes. */
const identifierMembers = /("(?:id|\w+_id|version)":\s*)(\d+)/g;

/** Requirements that compare identifiers. */
const readExactly = [
  ...['HOOK-1', 'HOOK-10', 'HOOK-11', 'AUTH-6', 'EVENT-1', 'EVENT-5', 'EVENT-11', 'EVENT-12', 'EVENT-13'],
  ...['IDEM-1', 'IDEM-3', 'KEY-4', 'LOG-1'],
] as const;

export const identifierRows: readonly VerdictRow[] = [
  row('integer identifiers above 2^53', { passes: readExactly }, withLargeIdentifiers),
  row('identifiers of 19 digits, and short versions', { passes: readExactly }, () => ({
    variations: ['long-ids'],
    options: full,
  })),
  row('a version above 2^53 that pushes show one too low', { fails: ['EVENT-5'] }, () => ({
    ...withLargeIdentifiers(),
    faults: ['version-one-behind'],
  })),
  row(
    'identifiers as numbers in creations and texts in lists',
    { passes: ['HOOK-1', 'HOOK-11', 'EVENT-1', 'EVENT-13', 'IDEM-4'] },
    () => ({ tamper: () => rewriteTexts(idsOfListsAsTexts, (text) => text), options: full }),
  ),
  row(
    'identifiers as texts in every answer',
    {
      passes: ['HOOK-1', 'HOOK-11', 'AUTH-6', 'EVENT-1', 'EVENT-13', 'IDEM-1', 'IDEM-4', 'KEY-4'],
      drifts: ['subscription.response.id', 'operation.list-sites'],
    },
    () => ({ tamper: () => rewriteTexts(idsAsTexts, (text) => text), options: full }),
  ),
  row(
    'text identifiers of content and keys in request bodies',
    { passes: ['EVENT-1', 'EVENT-6', 'EVENT-7', 'EVENT-8', 'KEY-4'] },
    () => ({
      spoken: profileWith({
        'operation.update-content': {
          method: 'POST',
          path: '/tenant/sites/{siteID}/contents/change',
          body: { content: '{contentID}', title: '{title}', text: '{text}' },
          id: '/data/id',
        },
        'operation.delete-key': { method: 'POST', path: '/tenant/keys/revoke', body: { key_id: '{keyID}' } },
      }),
      tamper: () => textIdentifiers,
      options: full,
    }),
  ),
  row(
    'subscription identifiers with any characters',
    { passes: ['HOOK-1', 'HOOK-10', 'HOOK-11', 'AUTH-1', 'EVENT-13'] },
    () => ({
      tamper: () =>
        rewriteTexts(decorateIds, (text) => text.replace(/n%C2%B0%20(\d+)%2F~(?:%C3%BC)/gi, '$1')),
      options: full,
    }),
  ),
  row(
    'an identifier followed by a letter, accepted as the identifier',
    { passes: ['HOOK-9', 'HOOK-11'], remarks: ['lenient-identifier'] },
    () => ({ variations: ['lenient-ids'], options: { ...full, cases: 24 } }),
  ),
  row(
    'an existing site with the number that the suite uses as unknown',
    { passes: ['HOOK-9', 'HOOK-11'] },
    () => ({
      sabotage: ({ world }) => {
        const [first] = world.sites.values();
        if (first) world.sites.set(2_147_483_646, { ...first, id: 2_147_483_646 });
      },
      told: profileWith({ 'operation.list-sites': 'unknown' }),
      options: full,
    }),
  ),
  row(
    'a pointer to the template that a new site was made from',
    { passes: ['IDEM-2', 'HOOK-1', 'KEY-4'], leavesOpen: ['IDEM-1'], drifts: ['operation.create-site'] },
    () => withPointer('operation.create-site'),
  ),
  row(
    'a pointer to the template of a new site, without reads',
    { leavesOpen: ['IDEM-1'], drifts: ['operation.create-site'] },
    () => withPointer('operation.create-site', ['operation.list-sites', 'operation.get-site']),
  ),
  row(
    'a pointer to the key that a new one replaces',
    { passes: ['IDEM-1', 'HOOK-1'], leavesOpen: ['KEY-4'], drifts: ['operation.create-key'] },
    () => withPointer('operation.create-key'),
  ),
  row(
    'a pointer to the content that a new one translates',
    { passes: ['IDEM-1', 'HOOK-1', 'EVENT-5'], drifts: ['operation.create-content'] },
    () => withPointer('operation.create-content'),
  ),
  row(
    'a pointer to another subscription than the new one',
    { passes: ['IDEM-1', 'KEY-1'], leavesOpen: ['HOOK-10'], drifts: ['subscription.response.id'] },
    () => withPointer('subscription.response.id'),
  ),
];

/** A conforming deployment, and a profile with one wrong pointer to an id. */
function withPointer(gap: WrongGap, unknown: readonly string[] = []): MockRun {
  return { told: profileNamingOthers([gap], unknown), tamper: () => namingOthers([]), options: full };
}

const zoe = { username: 'zoe@blumenladen.example', password: 'demo-password-zoe' };

function withLargeIdentifiers(): MockRun {
  const tamper = rewriteTexts(enlarge, shrink);
  const other = { ...zoe, siteId: otherLargeSiteId };
  return {
    tamper: () => tamper,
    tamperPush: changePushText(enlarge),
    options: { ...full, siteId: largeSiteId, other },
  };
}

function enlarge(text: string): string {
  return text.replace(
    identifierMembers,
    (_, name: string, id: string) => `${name}9007199254740993${id.padStart(3, '0')}`,
  );
}

function shrink(text: string): string {
  return text.replace(/9007199254740993(\d{3,})/g, (_, id: string) => String(Number(id)));
}

/** Changes answer bodies, request bodies and paths. */
function rewriteTexts(answer: (text: string) => string, request: (text: string) => string): Tamper {
  return async (message, forward) => {
    const changed = {
      ...message,
      path: request(message.path),
      body: Buffer.from(request(message.body.toString())),
    };
    const reply = await forward(changed);
    return { ...reply, body: Buffer.from(answer(reply.body.toString())) };
  };
}

function idsAsTexts(text: string): string {
  return text.replace(identifierMembers, '$1"$2"');
}

function idsOfListsAsTexts(text: string): string {
  return text.includes('"list":') ? text.replace(/"id":(\d+)/g, '"id":"$1"') : text;
}

/** Turns ids of content and keys into texts in answers, and back into numbers in requests. */
const textIdentifiers: Tamper = async (message, forward) => {
  // Only whole texts, because a secret may contain the same characters.
  const body = Buffer.from(message.body.toString().replace(/"c-(\d+)"/g, '$1'));
  const path = message.path.replace(/\/c-(\d+)(?=\/|$)/g, '/$1');
  const reply = await forward({ ...message, path, body });
  if (!/\/(contents|keys)/.test(message.path)) return reply;
  return { ...reply, body: Buffer.from(reply.body.toString().replace(/"id":(\d+)/g, '"id":"c-$1"')) };
};

/** Only subscriptions have a URL beside their id. */
function decorateIds(text: string): string {
  const { data } = jsonOf(Buffer.from(text)) as { data?: { url?: unknown } };
  return data?.url === undefined ? text : text.replace(/"id":(\d+)/, '"id":"n° $1/~ü"');
}
