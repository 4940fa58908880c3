import { loadProfile, makeProfile, statedValues } from '../../../openapi/profile.ts';
import {
  enlarge,
  identifierMembers,
  largeSiteId,
  otherLargeSiteId,
  rewriteTexts,
  shrink,
} from '../large-identifiers.ts';
import { namingOthers, profileNamingOthers, type WrongGap } from '../naming-others.ts';
import type { MockRun } from '../run-against-mock.ts';
import { changePushText, jsonOf } from '../tampering.ts';
import type { VerdictRow } from './verdict-row.ts';

const full = { tier: 'full', cases: 4 } as const;

/** Requirements that compare identifiers. */
const readExactly = [
  ...['HOOK-1', 'HOOK-10', 'HOOK-11', 'AUTH-6', 'EVENT-1', 'EVENT-5', 'EVENT-11', 'EVENT-12', 'EVENT-13'],
  ...['IDEM-1', 'IDEM-3', 'KEY-4', 'LOG-1'],
] as const;

export const identifierRows: readonly VerdictRow[] = [
  {
    behaviour: 'integer identifiers above 2^53',
    run: withLargeIdentifiers,
    passes: readExactly,
  },
  {
    behaviour: 'identifiers of 19 digits, and short versions',
    run: () => ({ variations: ['long-ids'], options: full }),
    passes: readExactly,
  },
  {
    behaviour: 'a version above 2^53 that pushes show one too low',
    run: () => ({ ...withLargeIdentifiers(), faults: ['version-one-behind'] }),
    fails: ['EVENT-5'],
  },
  {
    behaviour: 'identifiers as numbers in creations and texts in lists',
    run: () => ({ tamper: () => rewriteTexts(idsOfListsAsTexts, (text) => text), options: full }),
    passes: ['HOOK-1', 'HOOK-11', 'EVENT-1', 'EVENT-13', 'IDEM-4'],
  },
  {
    behaviour: 'identifiers as texts in every answer',
    run: () => ({ tamper: () => rewriteTexts(idsAsTexts, (text) => text), options: full }),
    passes: ['HOOK-1', 'HOOK-11', 'AUTH-6', 'EVENT-1', 'EVENT-13', 'IDEM-1', 'IDEM-4', 'KEY-4'],
    drifts: ['subscription.response.id', 'operation.list-sites'],
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
    behaviour: 'an identifier followed by a letter, accepted as the identifier',
    run: () => ({ variations: ['lenient-ids'], options: { ...full, cases: 24 } }),
    passes: ['HOOK-9', 'HOOK-11'],
    remarks: ['lenient-identifier'],
  },
  {
    behaviour: 'an existing site with the number that the suite uses as unknown',
    run: () => ({
      sabotage: ({ world }) => {
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
  {
    behaviour: 'a pointer to the template that a new site was made from',
    run: () => withPointer('operation.create-site'),
    passes: ['IDEM-2', 'HOOK-1', 'KEY-4'],
    leavesOpen: ['IDEM-1'],
    drifts: ['operation.create-site'],
  },
  {
    behaviour: 'a pointer to the template of a new site, without reads',
    run: () => withPointer('operation.create-site', ['operation.list-sites', 'operation.get-site']),
    leavesOpen: ['IDEM-1'],
    drifts: ['operation.create-site'],
  },
  {
    behaviour: 'a pointer to the key that a new one replaces',
    run: () => withPointer('operation.create-key'),
    passes: ['IDEM-1', 'HOOK-1'],
    leavesOpen: ['KEY-4'],
    drifts: ['operation.create-key'],
  },
  {
    behaviour: 'a pointer to the content that a new one translates',
    run: () => withPointer('operation.create-content'),
    passes: ['IDEM-1', 'HOOK-1', 'EVENT-5'],
    drifts: ['operation.create-content'],
  },
  {
    behaviour: 'a pointer to another subscription than the new one',
    run: () => withPointer('subscription.response.id'),
    passes: ['IDEM-1', 'KEY-1'],
    leavesOpen: ['HOOK-10'],
    drifts: ['subscription.response.id'],
  },
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

function idsAsTexts(text: string): string {
  return text.replace(identifierMembers, '$1"$2"');
}

function idsOfListsAsTexts(text: string): string {
  return text.includes('"list":') ? text.replace(/"id":(\d+)/g, '"id":"$1"') : text;
}

/** Only subscriptions have a URL beside their id. */
function decorateIds(text: string): string {
  const { data } = jsonOf(Buffer.from(text)) as { data?: { url?: unknown } };
  return data?.url === undefined ? text : text.replace(/"id":(\d+)/, '"id":"n° $1/~ü"');
}
