// Operations that take one kind of token. Shared paths and pages are in stated-calls.slow.test.ts.
import { expect, test } from 'vitest';
import { profileWith } from '../../mock/testing/open-mock.ts';
import { requirementsThat, runAgainstMock } from './run-against-mock.ts';

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
  const verified = ['passed', 'partly'].flatMap((outcome) => requirementsThat(outcome, report));
  expect(verified.toSorted()).toEqual(['IDEM-1', 'LIMIT-7', 'LIMIT-8']);
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
