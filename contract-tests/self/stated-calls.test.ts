import { describe, expect, test } from 'vitest';
import type { RootMock } from '../../mock/server/create-mock.ts';
import { profileWith } from '../../mock/testing/open-mock.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { requirementsThat, runAgainstMock } from './run-against-mock.ts';
import { changing, isAbout } from './tampering.ts';

test('sends no API key if an operation accepts only session tokens', async () => {
  const wrong: string[] = [];
  const report = await runAgainstMock({
    spoken: profileWith({
      'operation.create-site': {
        ...{ method: 'POST', path: '/people/sites', auth: 'session' },
        ...{ body: { n: '{name}' }, id: '/data/id' },
      },
      'operation.ai': {
        method: 'POST',
        path: '/people/{siteID}/ai',
        auth: 'session',
        body: { q: '{prompt}' },
      },
    }),
    options: { tier: 'full', only: ['IDEM-1', 'LIMIT-7', 'LIMIT-8'] },
    tamper: () => (message, forward) => {
      const isKey = message.headers.authorization?.includes('sp_') ?? false;
      if (isKey && message.path.includes('/people/')) wrong.push(`${message.method} ${message.path}`);
      return forward(message);
    },
  });
  expect(wrong).toEqual([]);
  const verified = ['passed', 'partly'].flatMap((outcome) => requirementsThat(outcome, report));
  expect(verified.toSorted()).toEqual(['IDEM-1', 'LIMIT-7', 'LIMIT-8']);
  const checks = report.requirements.flatMap((requirement) => requirement.checks);
  expect(checks.filter(({ outcome }) => outcome === 'not-applicable').map(({ reason }) => reason)).toContain(
    'the profile says that operation.ai accepts only a session token (auth: session)',
  );
});

test('uses the API key if an operation accepts nothing else', async () => {
  const sent: string[] = [];
  const report = await runAgainstMock({
    spoken: profileWith({
      'operation.create-site': {
        method: 'POST',
        path: '/s',
        auth: 'api-key',
        body: { n: '{name}' },
        id: '/data/id',
      },
    }),
    options: { only: ['IDEM-1'] },
    tamper: () => (message, forward) => {
      if (message.path.endsWith('/s')) sent.push(String(message.headers.authorization).slice(0, 10));
      return forward(message);
    },
  });
  expect(requirementsThat('passed', report)).toEqual(['IDEM-1']);
  expect([...new Set(sent)]).toEqual(['Bearer sp_']);
});

test('names the missing API key if an operation needs one', async () => {
  const report = await runAgainstMock({
    spoken: profileWith({
      'operation.create-site': { method: 'POST', path: '/s', auth: 'api-key', body: { n: '{name}' } },
    }),
    options: { apiKey: '', only: ['IDEM-1'] },
  });
  const [reason] = report.requirements
    .filter(({ id }) => id === 'IDEM-1')
    .flatMap(({ checks }) => checks.map((check) => check.reason));
  expect(reason).toBe('needs an API key for the call (auth of operation.create-site); set SITEPUB_API_KEY');
});

describe('in whole runs', { tags: ['ci'] }, () => {
  const spoken = loadProfile('flags-and-cursors');

  /** Puts the site under test after 60 others, on the fourth page. */
  function crowd({ world }: RootMock): void {
    const own = world.sites.get(101);
    if (!own) throw new Error('the demo world has no site 101');
    world.sites.delete(101);
    for (let id = 2_001; id <= 2_060; id++) world.sites.set(id, { ...own, id, name: `Branch ${id}` });
    world.sites.set(101, own);
  }

  test.for([
    ['content-publish-lost-when-repeated', 'EVENT-6', 'full'],
    ['content-publish-told-as-update', 'EVENT-6', 'safe'],
    ['content-update-lost-when-repeated', 'EVENT-7', 'full'],
    ['failures-to-those-who-chose-success', 'EVENT-4', 'safe'],
    ['publish-complete-lost', 'EVENT-11', 'safe'],
    ['fifth-key-refused', 'KEY-2', 'full'],
    ['log-shows-failures-only', 'LOG-1', 'safe'],
    ['newest-key-listed-in-full', 'KEY-3', 'full'],
  ] as const)('finds %s as a failure of %s', async ([fault, requirement, tier]) => {
    const report = await runAgainstMock({ spoken, faults: [fault], options: { tier, only: [requirement] } });
    expect(requirementsThat('failed', report)).toEqual([requirement]);
  });

  test.for(['offset', 'cursor', 'page'] as const)('finds a site far down a list by %s', async (start) => {
    const paged = profileWith(
      {
        'operation.list-sites': {
          ...{ method: 'GET', path: '/tenant/sites', 'item.id': '/site_id', 'item.name': '/title' },
          ...{ query: { start: `{${start}}` }, ...(start === 'cursor' && { next: '/data/next' }) },
        },
      },
      'flags-and-cursors',
    );
    const run = { spoken: paged, sabotage: crowd, options: { only: ['EVENT-1'] } };
    const right = await runAgainstMock(run);
    expect(requirementsThat('passed', right)).toEqual(['EVENT-1']);
    // The fault gives all sites one name, which only the list shows.
    const wrong = await runAgainstMock({ ...run, faults: ['site-name-of-first-site'] });
    expect(requirementsThat('failed', wrong)).toEqual(['EVENT-1']);
  });

  test.for([
    ['whose total counts the page', (data: Data) => ({ ...data, total: data.list.length })],
    ['that end with an empty cursor', (data: Data) => ({ ...data, next: data.next ?? '' })],
    ['that end with null for a cursor', (data: Data) => ({ ...data, next: data.next ?? null })],
    ['with an empty page in between', emptyPageBetween()],
  ] as const)('fails no deployment with pages %s', async ([, change]) => {
    const list = { method: 'GET', query: { after: '{cursor}' }, next: '/data/next' };
    const report = await runAgainstMock({
      spoken: profileWith({
        'operation.list-sites': { ...list, path: '/sites', 'item.id': '/id', 'item.name': '/name' },
        'operation.list-deliveries': {
          ...{ ...list, path: '/log', query: { hook: '{subscriptionID}', after: '{cursor}' } },
          'item.event': '/event',
        },
      }),
      sabotage: crowd,
      options: { only: ['EVENT-1', 'IDEM-1', 'LOG-1'] },
      tamper: () =>
        changing(isAbout('GET', /\/(sites|log)(\?|$)/), (body, { path }) => ({
          ...body,
          data: change(body.data as Data, path),
        })),
    });
    expect(requirementsThat('passed', report).toSorted()).toEqual(['EVENT-1', 'IDEM-1', 'LOG-1']);
  });

  interface Data {
    list: unknown[];
    next?: string;
  }

  /** The first page is empty and leads to itself with another cursor. */
  function emptyPageBetween() {
    return (data: Data, path: string): object =>
      path.includes('after=')
        ? data
        : { ...data, list: [], next: Buffer.from('from 0').toString('base64url') };
  }
});
