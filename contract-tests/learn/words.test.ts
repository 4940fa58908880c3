import { expect, test } from 'vitest';
import { gaps } from '../../openapi/registers.ts';
import { isNameOf, namesOf, othersIn, splitWords, strongResourcesIn, table, unknownWords } from './words.ts';

test('has no word twice', () => {
  const { resources, verbs, neutral, containers, others } = table;
  const all = [...Object.values(resources), ...Object.values(verbs), neutral, containers, others].flat();
  expect(all.filter((word, index) => all.indexOf(word) !== index)).toEqual([]);
  const names = Object.values(table.fields).flatMap((list) =>
    list.filter((name, index) => list.indexOf(name) !== index),
  );
  expect(names).toEqual([]);
});

test('writes words in the form in which they are compared', () => {
  const withoutWords = ['operations', 'identifiers', 'holders', 'signs'];
  const lists = Object.entries(table).filter(([name]) => !withoutWords.includes(name));
  const all = lists.flatMap(([, list]) => Object.values(list).flat() as string[]);
  expect(all.filter((word) => splitWords(word) !== word.replace(/!$/, ''))).toEqual([]);
});

test('has a row for each operation, with placeholders and pointers of its gap', () => {
  const wanted = gaps.filter(({ kind }) => kind === 'operation');
  expect(Object.keys(table.operations).toSorted()).toEqual(
    wanted.map(({ id }) => id.slice('operation.'.length)).toSorted(),
  );
  const strange = wanted.flatMap(({ id, placeholders = [], reads = [] }) => {
    const { needs = [], answers = [] } = table.operations[id.slice('operation.'.length)] ?? {};
    const named = needs.flatMap((one) => one.split('|'));
    return [
      ...named.filter((name) => !placeholders.includes(name)),
      ...answers.flatMap((one) => one.split('|')).filter((name) => !reads.includes(name)),
    ];
  });
  expect(strange).toEqual([]);
});

test('finds only words of the lists', () => {
  expect(unknownWords('build_hooks of griselda')).toEqual(['build', 'griselda']);
  expect(unknownWords('/tenant/siteId/api_keys/form-submissions')).toEqual([]);
  expect(othersIn('Preview of archived sites')).toEqual(['preview', 'archived']);
  expect([strongResourcesIn('api tokens'), strongResourcesIn('tokens')]).toEqual([['key'], []]);
  expect(['targetUrl', 'whatever'].map((name) => isNameOf('url', name))).toEqual([true, false]);
  expect(namesOf('page_size').slice(0, 2)).toEqual(['pagesize', 'size']);
});
