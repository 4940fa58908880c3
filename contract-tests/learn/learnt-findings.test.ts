import { expect, test } from 'vitest';
import { findGap, type Gap } from '../../openapi/registers.ts';
import { createFindings } from '../findings/gap-findings.ts';
import { type LearntOperation, learnOperations } from './learn-operations.ts';
import { addToFindings, rowsOf, takeBackUncalled } from './learnt-findings.ts';

/** A certain DELETE, with changes. */
function learnt(name: string, changes: Partial<LearntOperation> = {}): LearntOperation {
  return {
    gap: findGap(`operation.${name}`) as Gap,
    value: { method: 'DELETE', path: `/${name}/{siteID}` },
    isCertain: true,
    reasons: ['the path says "delete"', 'recorded'],
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
  if (called) takeBackUncalled(learning, findings, { called: new Set(called), reason: 'deletes' });
  return { findings, rows: rowsOf(learning, findings) };
}

const other = {
  value: { method: 'DELETE', path: '/other/{siteID}' },
  place: 'line 9 of api.json',
  reasons: [],
  doubts: ['the path says "other"', 'deprecated'],
};

test('adds a certain operation with its place and reasons', () => {
  const { findings, rows } = findingsOf([learnt('delete-site')]);
  expect(findings.finding('operation.delete-site')).toEqual({
    value: { method: 'DELETE', path: '/delete-site/{siteID}' },
    evidence: 'line 7 of api.json: the path says "delete", recorded',
  });
  expect(rows).toEqual([
    { name: 'delete-site', call: 'DELETE /delete-site/{siteID}', state: 'certain', why: '' },
  ]);
});

test('suggests a doubtful operation with the doubts about each candidate', () => {
  const doubts = ['deprecated', 'DELETE /other/{siteID} also fits'];
  const { findings, rows } = findingsOf([
    learnt('delete-site', { isCertain: false, doubts, alternatives: [other] }),
  ]);
  expect(findings.has('operation.delete-site')).toBe(false);
  expect(findings.suggestions('operation.delete-site').map(({ evidence }) => evidence)).toEqual([
    'line 7 of api.json: the path says "delete", recorded',
    'line 9 of api.json; doubts: the path says "other", deprecated',
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

test('names the click that would show a missing operation', () => {
  const { findings, rows } = findingsOf(learnOperations([], { given: {} }).operations);
  const why = 'record: delete a site that you created for this';
  expect(rows).toContainEqual({ name: 'delete-site', call: '', state: 'not found', why });
  expect(findings.reason('operation.delete-site')).toBe(why);
});

test('suggests a deletion until it is called', () => {
  const waiting = learnt('delete-site', { alternatives: [other] });
  expect(findingsOf([waiting]).rows).toMatchObject([{ state: 'certain' }]);
  expect(findingsOf([waiting], ['operation.delete-site']).rows).toMatchObject([{ state: 'certain' }]);
  const { findings, rows } = findingsOf([waiting, learnt('get-site')], []);
  expect(rows).toMatchObject([{ state: 'to confirm', why: 'deletes' }, { state: 'certain' }]);
  expect(findings.suggestions('operation.delete-site').map(({ value }) => value)).toEqual([waiting.value]);
});

test('leaves a deletion that a call has revoked unchanged', () => {
  const waiting = learnt('delete-site');
  const { findings } = findingsOf([waiting]);
  findings.revoke('operation.delete-site', 'called: answered 404');
  findings.suggest('operation.delete-site', [{ value: other.value, evidence: other.place }]);
  takeBackUncalled({ operations: [waiting], count: 1, notes: [] }, findings, {
    called: new Set(),
    reason: 'deletes',
  });
  expect(findings.reason('operation.delete-site')).toBe('called: answered 404');
  expect(findings.suggestions('operation.delete-site')).toMatchObject([{ value: other.value }]);
});
