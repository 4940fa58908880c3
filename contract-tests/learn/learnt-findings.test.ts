import { expect, test } from 'vitest';
import { findGap, type Gap } from '../../openapi/registers.ts';
import { createFindings } from '../findings/gap-findings.ts';
import { type LearntOperation, learnOperations } from './learn-operations.ts';
import { addToFindings, rowsOf, takeBackUncalled } from './learnt-findings.ts';

/** What is certain of a DELETE, unless the changes say otherwise. */
function learnt(name: string, changes: Partial<LearntOperation> = {}): LearntOperation {
  return {
    gap: findGap(`operation.${name}`) as Gap,
    value: { method: 'DELETE', path: `/${name}/{siteID}` },
    isCertain: true,
    reasons: ['its path says "delete"', 'it was called'],
    doubts: [],
    place: 'line 7 of api.json',
    alternatives: [],
    ...changes,
  };
}

function findingsOf(operations: readonly LearntOperation[], called?: readonly string[]) {
  const learning = { operations, count: 1, notes: [] };
  const findings = createFindings({});
  addToFindings(learning, findings);
  if (called) takeBackUncalled(learning, findings, { called: new Set(called), reason: 'it deletes' });
  return { findings, rows: rowsOf(learning, findings) };
}

const other = {
  value: { method: 'DELETE', path: '/other/{siteID}' },
  place: 'line 9 of api.json',
  reasons: [],
  doubts: ['its path says "other"', 'it is deprecated'],
};

test('what is certain is found, with its place and what speaks for it', () => {
  const { findings, rows } = findingsOf([learnt('delete-site')]);
  expect(findings.finding('operation.delete-site')).toEqual({
    value: { method: 'DELETE', path: '/delete-site/{siteID}' },
    evidence: 'line 7 of api.json: its path says "delete", it was called',
  });
  expect(rows).toEqual([
    { name: 'delete-site', call: 'DELETE /delete-site/{siteID}', state: 'certain', why: '' },
  ]);
});

test('what is doubtful is suggested, with what speaks against each candidate', () => {
  const doubts = ['it is deprecated', 'DELETE /other/{siteID} fits as well'];
  const { findings, rows } = findingsOf([
    learnt('delete-site', { isCertain: false, doubts, alternatives: [other] }),
  ]);
  expect(findings.has('operation.delete-site')).toBe(false);
  expect(findings.suggestions('operation.delete-site').map(({ evidence }) => evidence)).toEqual([
    'line 7 of api.json: its path says "delete", it was called',
    'line 9 of api.json; against it: its path says "other", it is deprecated',
  ]);
  expect(rows).toEqual([
    {
      name: 'delete-site',
      call: 'DELETE /delete-site/{siteID}',
      state: 'to confirm',
      why: doubts.join('; '),
    },
  ]);
});

test('what nothing shows is told by the click that would show it', () => {
  const { findings, rows } = findingsOf(learnOperations([], { given: {} }).operations);
  const why = 'click: delete a site that you have created for this';
  expect(rows).toContainEqual({ name: 'delete-site', call: '', state: 'not found', why });
  expect(findings.reason('operation.delete-site')).toBe(why);
});

test('a deletion waits for a call: until then it is one candidate', () => {
  const waiting = learnt('delete-site', { alternatives: [other] });
  expect(findingsOf([waiting]).rows).toMatchObject([{ state: 'certain' }]);
  expect(findingsOf([waiting], ['operation.delete-site']).rows).toMatchObject([{ state: 'certain' }]);
  const { findings, rows } = findingsOf([waiting, learnt('get-site')], []);
  expect(rows).toMatchObject([{ state: 'to confirm', why: 'it deletes' }, { state: 'certain' }]);
  expect(findings.suggestions('operation.delete-site').map(({ value }) => value)).toEqual([waiting.value]);
});

test('a deletion that a call has taken back keeps what that has shown', () => {
  const waiting = learnt('delete-site');
  const { findings } = findingsOf([waiting]);
  findings.revoke('operation.delete-site', 'it was called, and answered 404');
  findings.suggest('operation.delete-site', [{ value: other.value, evidence: other.place }]);
  takeBackUncalled({ operations: [waiting], count: 1, notes: [] }, findings, {
    called: new Set(),
    reason: 'it deletes',
  });
  expect(findings.reason('operation.delete-site')).toBe('it was called, and answered 404');
  expect(findings.suggestions('operation.delete-site')).toMatchObject([{ value: other.value }]);
});
