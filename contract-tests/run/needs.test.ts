import { expect, test } from 'vitest';
import { loadPackagedProfile, loadProfile, makeProfile, statedValues } from '../../openapi/profile.ts';
import type { Need } from '../check.ts';
import { checks } from '../checks/index.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import { openContext } from '../testing.ts';
import { unmetNeed } from './needs.ts';
import { verifiableRequirements } from './verifiable-requirements.ts';

const account = { username: 'mei', password: 'p' };
const unstated = { profile: { name: 'none', stated: {} } };

test.for<[Need, Partial<SuiteOptions>, string]>([
  ['account', {}, 'needs a user; set SITEPUB_USERNAME and SITEPUB_PASSWORD'],
  ['site', {}, 'needs a site of the tenant; set SITEPUB_SITE_ID'],
  ['creates', { tier: 'smoke' }, 'creates data, which --suite smoke does not do; run with --suite safe'],
  [
    'receiver',
    {},
    'needs a receiver that the deployment can reach; pass --receiver-listen and --receiver-url',
  ],
  ['api-key', {}, 'needs an API key; set SITEPUB_API_KEY'],
  [
    'second-user',
    {},
    'needs a second user of the tenant; set SITEPUB_SECOND_USERNAME and SITEPUB_SECOND_PASSWORD',
  ],
  [
    'second-tenant',
    { other: account },
    'needs another tenant; set SITEPUB_OTHER_USERNAME, SITEPUB_OTHER_PASSWORD and SITEPUB_OTHER_SITE_ID',
  ],
  ['other-user', {}, 'needs a user of another tenant; set SITEPUB_OTHER_USERNAME and SITEPUB_OTHER_PASSWORD'],
  [
    'spare-key',
    unstated,
    'creates an API key that it could not delete; state operation.delete-key in the profile or run with --suite full',
  ],
  [
    'event:publish.complete',
    unstated,
    'needs to know how to call an operation; state operation.publish-site in the profile',
  ],
  [
    'operation:any-event',
    unstated,
    'needs to know how to cause an event; state one of operation.submit-form, create-comment, update-content, publish-site, … in the profile',
  ],
  [
    'retried-push',
    unstated,
    'needs to know how to cause an event; state one of operation.submit-form, create-comment, update-content, publish-site, … in the profile',
  ],
  ['disruptive', {}, 'uses up a limit that others share; run with --suite full'],
  [
    'expiry',
    { maxWaitMs: 7_199_999 },
    'needs a token to expire, which takes 7200 s; run with --max-wait 7200s',
  ],
  [
    'expiry',
    { ...unstated, maxWaitMs: 1e9 },
    'needs a token to expire; state token.lifetime in the profile and run with a --max-wait of at least that time',
  ],
  ['wait:36m', { maxWaitMs: 2_159_999 }, 'needs to wait 36m; run with --max-wait 36m'],
  ['operation:ai', unstated, 'needs to know how to call an operation; state operation.ai in the profile'],
  [
    'operation:ai',
    { profile: { name: 'documented-only', stated: statedValues(loadProfile('documented-only')) } },
    'the deployment does not offer the operation (operation.ai: not-offered)',
  ],
])('says how to meet the need %s', ([need, options, want]) => {
  expect(unmetNeed(need, openContext(options))).toBe(want);
});

test.for<[Need, Partial<SuiteOptions>]>([
  ['account', { account }],
  ['site', { siteId: 0 }],
  ['creates', {}],
  ['api-key', { apiKey: 'sp_x' }],
  ['second-user', { second: account }],
  ['second-tenant', { other: { ...account, siteId: 0 } }],
  ['other-user', { other: account }],
  ['spare-key', {}],
  ['spare-key', { ...unstated, tier: 'full' }],
  ['operation:any-event', {}],
  ['retried-push', {}],
  ['retried-push', { profile: { name: 'x', stated: { 'hook-test.retried': 'retried' } } }],
  ['disruptive', { tier: 'full' }],
  ['expiry', { maxWaitMs: 7_200_000 }],
  ['wait:31s', { maxWaitMs: 31_000 }],
  ['wait:36m', { maxWaitMs: 2_160_000 }],
  ['operation:ai', {}],
])('accepts the met need %s', ([need, options]) => {
  expect(unmetNeed(need, openContext(options))).toBeUndefined();
});

test('knows every need of the checks', () => {
  const known =
    /^(account|site|creates|receiver|api-key|spare-key|second-user|second-tenant|other-user|disruptive|expiry|retried-push|(wait|operation|event):.+)$/;
  expect(checks.flatMap(({ needs }) => needs).filter((need) => !known.test(need))).toEqual([]);
});

test('lists verifiable requirements and what the others lack', () => {
  const { total, verified, missing, waitMs } = verifiableRequirements(loadPackagedProfile('default'));
  expect(verified.length).toBe(total - 2);
  expect(missing.map(({ requirement }) => requirement)).toEqual(['RECV-1', 'RECV-2']);
  expect(waitMs).toBe(7_200_000);
});

test('verifies no expiry without a stated lifetime, and waits for the retries only', () => {
  const { 'token.lifetime': _, ...stated } = statedValues(loadPackagedProfile('default'));
  const { missing, waitMs } = verifiableRequirements(makeProfile(stated, { name: 'x', source: 'x' }));
  const reason =
    'needs a token to expire; state token.lifetime in the profile and run with a --max-wait of at least that time';
  expect(missing[0]).toEqual({ requirement: 'REFRESH-4', reason });
  expect(waitMs).toBe(70 * 60_000);
});

test('excludes events of content items that cannot be created', () => {
  const { 'operation.create-content': _, ...stated } = statedValues(loadPackagedProfile('default'));
  const { missing } = verifiableRequirements(makeProfile(stated, { name: 'x', source: 'x' }));
  const reason = 'needs to know how to call an operation; state operation.create-content in the profile';
  expect(missing.slice(0, 3)).toEqual(
    ['EVENT-6', 'EVENT-7', 'EVENT-8'].map((requirement) => ({ requirement, reason })),
  );
});

test.for([
  ['operation.create-content', ['EVENT-6', 'EVENT-7', 'EVENT-8']],
  ['operation.create-key', ['KEY-4']],
] as const)('excludes requirements that need an id if %s does not state its place', ([gap, lost]) => {
  const stated = statedValues(loadPackagedProfile('default'));
  const { id: _, ...call } = stated[gap] as { id?: string };
  const profile = makeProfile({ ...stated, [gap]: call }, { name: 'x', source: 'x' });
  const { missing } = verifiableRequirements(profile);
  const reason = `needs the id of the created resource; state id in ${gap}`;
  expect(missing.filter((one) => !one.requirement.startsWith('RECV'))).toEqual(
    lost.map((requirement) => ({ requirement, reason })),
  );
});
