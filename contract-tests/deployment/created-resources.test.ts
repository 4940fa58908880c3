import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exchangeOf } from '../testing.ts';
import { createResources, type JournalLine, type Resource } from './created-resources.ts';

const subscription = {
  what: 'subscription',
  site: 101,
  target: 'http://127.0.0.1:9/1',
  tenant: 'main',
} as const;
const comment = { what: 'comment', site: 101, target: 'sitepub-1', tenant: 'main' } as const;

test('writes an intended creation and its result to the journal', () => {
  const { resources, lines } = open();
  const created = resources.announce(subscription);
  expect(lines()).toEqual([{ head: true }, { entry: 1, ...subscription }]);
  created(answer(7));
  resources.announce(subscription)(refusal);
  resources.markDeleted('subscription', '7');
  expect(lines().slice(2)).toEqual([
    { entry: 1, created: 7 },
    { entry: 2, ...subscription },
    { entry: 2, outcome: 'refused' },
    { entry: 1, outcome: 'removed' },
  ]);
});

test('counts an unanswered creation as existing', () => {
  const { resources } = open();
  resources.announce(subscription);
  expect(resources.remaining()).toEqual([{ ...subscription, id: undefined }]);
});

test('counts a creation with a gateway error as existing', () => {
  const { resources } = open();
  resources.announce(subscription)(exchangeOf(undefined, { status: 504, text: '<html>timed out</html>' }));
  resources.announce({ ...subscription, site: 102 })(exchangeOf({ code: 50400 }, { status: 504 }));
  expect(resources.remaining()).toEqual([{ ...subscription, id: undefined }]);
});

test('treats failures, redirects and unknown answers as uncertain', () => {
  const { resources, again } = open();
  resources.announce(subscription)(exchangeOf({ code: 50000 }, { status: 500 }));
  resources.announce({ ...subscription, site: 102 })(exchangeOf({ job: 7 }, { status: 200 }));
  resources.announce({ ...subscription, site: 103 })(exchangeOf({ code: 30300 }, { status: 303 }));
  expect(resources.remaining()).toEqual([]);
  const [first, second, third] = resources.doubtful();
  expect([first?.site, second?.site, third?.site]).toEqual([101, 102, 103]);
  expect(again().doubtful()).toHaveLength(3);
  if (first && second && third) {
    for (const one of [first, third]) resources.markMissing(one);
    resources.markCreated(second, 9);
  }
  expect([resources.doubtful(), resources.remaining()]).toEqual([
    [],
    [{ ...subscription, site: 102, id: 9 }],
  ]);
  expect([resources.isKnown('subscription', '9'), resources.isKnown('site', 9)]).toEqual([true, false]);
});

test('counts a replayed answer once', () => {
  const { resources } = open();
  resources.announce(subscription)(answer(7));
  resources.announce(subscription)(answer(7));
  expect(resources.remaining()).toEqual([{ ...subscription, id: 7 }]);
});

test('marks only resources of the site as deleted if ids are unique per site', () => {
  const { resources } = open();
  for (const site of [101, 102]) resources.announce({ ...subscription, site })(answer(1));
  resources.markDeleted('subscription', 1, '102');
  expect(resources.remaining()).toEqual([{ ...subscription, id: 1 }]);
});

test('marks resources of a deleted site as deleted', () => {
  const { resources } = open();
  resources.announce({ ...subscription, what: 'site', site: undefined })(answer(1001));
  resources.announce({ ...subscription, site: 1001 })(answer(8));
  resources.markDeleted('site', 1001);
  expect(resources.remaining()).toEqual([]);
});

test('removes the journal if no deletable resource is left', () => {
  const { resources, file } = open();
  resources.announce(comment)(answer(3));
  resources.announce(subscription)(answer(7));
  resources.close();
  expect(existsSync(file)).toBe(true);
  resources.markDeleted('subscription', 7);
  resources.close();
  expect(existsSync(file)).toBe(false);
});

test('continues an existing journal', () => {
  const { resources, again } = open();
  resources.announce(subscription)(answer(7));
  resources.announce(subscription);
  resources.announce(subscription)(refusal);
  expect(again().remaining()).toEqual<Resource[]>([
    { ...subscription, id: 7 },
    { ...subscription, id: undefined },
  ]);
});

const refusal = exchangeOf({ code: 40002 });

function answer(id: unknown) {
  return { ...exchangeOf({ code: 0 }), values: { id } };
}

function open() {
  const file = join(mkdtempSync(join(tmpdir(), 'sitepub-resources-')), 'deep', 'run.jsonl');
  const lines = () =>
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  const again = () => createResources({ file, head: {}, lines: lines().slice(1) as JournalLine[] });
  return { resources: createResources({ file, head: { head: true } }), file, lines, again };
}
