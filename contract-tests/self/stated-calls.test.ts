// Deployments whose operations share paths, are paged, or take one kind of token: what is broken there is found as anywhere else.
import { expect, test } from 'vitest';
import type { Mock } from '../../mock/server/create-mock.ts';
import { profileWith } from '../../mock/testing/open-mock.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { requirementsThat, runAgainstMock } from './run-against-mock.ts';

const spoken = loadProfile('flags-and-cursors');

/** Moves the site under test behind 60 others, on the fourth page of the list. */
function crowd({ service: { world } }: Mock): void {
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
  ['publish-failed-told-as-complete', 'EVENT-12', 'safe'],
  ['publish-complete-lost', 'EVENT-11', 'safe'],
  ['sixth-key-created', 'KEY-2', 'full'],
  ['log-shows-failures-only', 'LOG-1', 'safe'],
  ['newest-key-listed-in-full', 'KEY-3', 'full'],
] as const)('%s breaks %s there too', async ([fault, requirement, tier]) => {
  const report = await runAgainstMock({ spoken, faults: [fault], options: { tier, only: [requirement] } });
  expect(requirementsThat('failed', report)).toEqual([requirement]);
});

test.for(['offset', 'cursor', 'page'] as const)('a site far down a list by %s is found', async (start) => {
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
  // All sites are told with the name of one, which only the list shows.
  const wrong = await runAgainstMock({ ...run, faults: ['site-name-of-first-site'] });
  expect(requirementsThat('failed', wrong)).toEqual(['EVENT-1']);
});

test('sends no API key where only session tokens are taken', async () => {
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
  expect(requirementsThat('passed', report)).toEqual(['LIMIT-7', 'LIMIT-8', 'IDEM-1']);
  const checks = report.requirements.flatMap((requirement) => requirement.checks);
  expect(checks.filter(({ outcome }) => outcome === 'not-applicable').map(({ reason }) => reason)).toContain(
    'the profile says that operation.ai takes a session token only (auth: session)',
  );
});

test('uses the API key where nothing else is taken', async () => {
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

test('says what it lacks where an API key is needed and none is given', async () => {
  const report = await runAgainstMock({
    spoken: profileWith({
      'operation.create-site': { method: 'POST', path: '/s', auth: 'api-key', body: { n: '{name}' } },
    }),
    options: { apiKey: '', only: ['IDEM-1'] },
  });
  const [reason] = report.requirements
    .filter(({ id }) => id === 'IDEM-1')
    .flatMap(({ checks }) => checks.map((check) => check.reason));
  expect(reason).toBe('is called with an API key only (auth of operation.create-site); set SITEPUB_API_KEY');
});
