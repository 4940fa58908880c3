import { expect, test } from 'vitest';
import { gapValue, parseProfile } from '../../openapi/profile.ts';
import { type Gap, gaps, membersOf } from '../../openapi/registers.ts';
import { placeholdersOf } from '../../openapi/template.ts';
import { operationTemplate } from './operation-template.ts';

const operations = gaps.filter(({ kind }) => kind === 'operation');

test.for(operations)(
  'the template of $id is a valid value, with its members and placeholders',
  (gap: Gap) => {
    const text = operationTemplate(gap).join('\n');
    const value = gapValue(parseProfile(`${text}\n`, 'template.yaml'), gap.id) as Record<string, unknown>;
    const bodyless = value.body === undefined ? ['body'] : [];
    const queryless = gap.query === undefined ? ['query'] : [];
    const members = membersOf(gap).filter((one) => ![...bodyless, ...queryless].includes(one));
    expect(Object.keys(value).toSorted()).toEqual(members.toSorted());
    expect(placeholdersOf([value.path, value.body]).toSorted()).toEqual(gap.placeholders?.toSorted());
    for (const one of gap.query ?? []) expect(text).toContain(`{${one}}`);
  },
);

test('all templates together are a profile', () => {
  const text = operations.flatMap((gap) => operationTemplate(gap)).join('\n');
  expect(parseProfile(`${text}\n`, 'templates.yaml').stated.size).toBe(operations.length);
});

test('looks as people write it', () => {
  const [gap] = operations.filter(({ id }) => id === 'operation.publish-site');
  expect(gap && operationTemplate(gap)).toEqual([
    'operation.publish-site:',
    '  method: POST  # or GET, PUT, PATCH, DELETE',
    '  path: "/…/{siteID}/publish-site"  # also {note}',
    '  auth: bearer  # or session, api-key, none',
    '  body: { note: "{note}" }',
    '  status: 200  # of a success',
    '  version: /data/version',
  ]);
});
