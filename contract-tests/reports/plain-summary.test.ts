import { expect, test } from 'vitest';
import { readRequirements } from '../../openapi/registers.ts';
import { plainSummaryOf } from './plain-summary.ts';
import { expectedFailure, failed, passed, reportOf, sample, unverified } from './testing.ts';

test('says what was compared, what is broken and what could not be looked at', () => {
  const { sentences, broken, unseen } = plainSummaryOf(sample);
  expect(sentences).toEqual([
    'The service at http://127.0.0.1:9/api/v1 was compared with 6 promises of the interface document.',
    '1 is kept, 2 are broken, 1 is kept as far as could be seen, and 2 could not be looked at.',
  ]);
  expect(broken).toEqual([
    {
      about: 'asking for notifications (webhook subscriptions)',
      means:
        'A program may not be told of what happens on a site, or be told of something else than it asked for.',
      requirements: [failed, expectedFailure],
    },
  ]);
  expect(unseen).toMatchObject([{ about: 'who may do what', requirements: [unverified] }]);
});

test('says that nothing could be looked at where the run was not made', () => {
  const report = reportOf({
    requirements: [unverified],
    aborted: { kind: 'unreachable', reason: 'it does not answer' },
  });
  expect(plainSummaryOf(report).sentences.at(-1)).toBe('Nothing could be looked at.');
});

test.for([
  [sample, /cannot rely on what is listed here until it is mended/],
  [reportOf({ summary: { ...sample.summary, failed: 0 } }), /can rely on that/],
  [reportOf({}), /Nothing good or bad is known of the service/],
] as const)('says what follows for those who connect a program: %$', ([report, want]) => {
  expect(plainSummaryOf(report).advice).toMatch(want);
});

test('tells what was left out on purpose from what could not be looked at', () => {
  const left = { ...unverified, id: 'ENV-2', reason: 'left out by --only or --skip' };
  const { sentences, unseen } = plainSummaryOf(reportOf({ requirements: [passed, left, unverified] }));
  expect(sentences.at(-1)).toBe(
    '1 is kept, 0 are broken, 1 was left out of this run on purpose, and 1 could not be looked at.',
  );
  expect(unseen.flatMap(({ requirements }) => requirements)).toEqual([unverified]);
});

test('knows what every requirement is about', () => {
  const requirements = readRequirements().map(({ id }) => ({ ...failed, id }));
  const { broken } = plainSummaryOf(reportOf({ requirements }));
  expect(broken.filter(({ means }) => means === '')).toEqual([]);
});

test('breaks nothing where all is kept', () => {
  expect(plainSummaryOf(reportOf({ requirements: [passed] }))).toMatchObject({ broken: [], unseen: [] });
});
