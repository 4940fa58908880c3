// @module-tag ci
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFolder } from '../../contract-tests/deployment/own-folder.ts';
import { refuse } from '../../contract-tests/self/tampering.ts';
import type { Reply } from '../../contract-tests/self/tampering-proxy.ts';
import type { StartedMock } from '../../mock/start.ts';
import { loadProfile, statedValues } from '../../openapi/profile.ts';
import { credentialsOf, openBehindProxy, openCommand, openMock, sendJson, writeJournal } from '../testing.ts';

const { folder, run, runHere } = openCommand();

const name = 'sitepub-abcdef01';
const shared = 'https://hooks.example.com/sitepub';
const own = `${shared}/abcdef01/1`;
const { 'operation.delete-subscription': deletion, ...withoutDeletion } = statedValues(
  loadProfile('default'),
);
const profile = join(folder, 'deletion.yaml');
writeFileSync(profile, `operation.delete-subscription: ${JSON.stringify(deletion)}\n`);

interface Row {
  name: string;
  /** Lines of the journal; `site` is a site of the run. */
  entries: (site: number) => object[];
  says: (site: number) => string[];
  status?: number;
  stated?: object;
  flags?: string[];
  /** The answers to the first deletions, or to the first calls of another method. */
  refused?: { times: number; reply: Reply; method?: string };
  /** URLs of the remaining subscriptions. */
  left?: string[];
}

const target = (entry: number, what: string, more: object) => ({ entry, what, tenant: 'main', ...more });
const ownSubscription = [target(1, 'subscription', { site: 101, target: own }), { entry: 1, created: 1 }];
const deleted = [`deleted  subscription 1 on site 101: ${own}`];
const unstated = 'state operation.delete-subscription in a profile, and give it with --profile';

const rows: readonly Row[] = [
  {
    name: 'deletes nothing whose URL does not contain the id of the run',
    entries: () => [
      target(1, 'subscription', { site: 101, target: shared }),
      target(2, 'subscription', { site: 101, target: own }),
    ],
    says: () => [
      ...deleted,
      expect.stringContaining(`left     subscription (unknown identifier) on site 101: ${shared}`),
    ],
    status: 1,
    left: [shared],
  },
  {
    name: 'lists what was deleted, deleted with its site, not found and left',
    entries: (site) => [
      ...[target(1, 'site', { target: name }), { entry: 1, created: site }],
      ...[target(2, 'published version', { site, target: `${name} first` }), { entry: 2, created: 1 }],
      ...[target(3, 'content', { site: 101, target: `${name} gone` }), { entry: 3, created: 987654 }],
      ...[target(4, 'published version', { site: 101, target: `${name} second` }), { entry: 4, created: 9 }],
    ],
    says: (site) => [
      `deleted  site ${site}: ${name}`,
      `gone     published version 1 on site ${site}: ${name} first (deleted with its site)`,
      `gone     content 987654 on site 101: ${name} gone (not found)`,
      `left     published version 9 on site 101: ${name} second (it cannot be deleted)`,
    ],
    left: [own, shared],
  },
  {
    name: 'deletes after two failures in a row',
    entries: () => ownSubscription,
    refused: { times: 2, reply: refuse(503, 10503) },
    says: () => deleted,
    left: [shared],
  },
  {
    name: 'reads a list again if its first answer is not JSON',
    entries: () => [target(1, 'subscription', { site: 101, target: own }), { entry: 1, outcome: 'doubtful' }],
    refused: {
      times: 1,
      reply: { ...refuse(200, 0), body: Buffer.from('{"code": 0, "data": {"li') },
      method: 'GET',
    },
    says: () => deleted,
    left: [shared],
  },
  {
    name: 'says why something is left',
    entries: () => ownSubscription,
    stated: withoutDeletion,
    says: () => [`left     subscription 1 on site 101: ${own} (${unstated})`],
    status: 1,
    left: [own, shared],
  },
  {
    name: 'deletes with a profile that says how',
    entries: () => ownSubscription,
    stated: withoutDeletion,
    flags: ['--profile', profile],
    says: () => deleted,
    left: [shared],
  },
  {
    name: 'reports a refused deletion, and deletes nothing with another name',
    entries: (site) => [
      ...[target(1, 'site', { target: name }), { entry: 1, created: site }],
      // Another site that got the identifier later.
      ...[target(2, 'site', { target: `${name}-other` }), { entry: 2, created: 102 }],
      ...[target(3, 'content', { site: 101, target: `${name} text` }), { entry: 3, outcome: 'doubtful' }],
    ],
    refused: { times: 100, reply: refuse(403, 40300) },
    says: (site) => [
      `gone     content (unknown identifier) on site 101: ${name} text (not found)`,
      `left     site ${site}: ${name} (its deletion was answered with HTTP 403)`,
      `left     site 102: ${name}-other (its identifier belongs to another resource now)`,
    ],
    status: 1,
    left: [own, shared],
  },
];

test.for(rows)('$name', async ({ entries, says, status = 0, stated, flags = [], refused, left }) => {
  let count = refused?.times ?? 0;
  await using mock = await openBehindProxy((message, forward) =>
    refused && message.method === (refused.method ?? 'DELETE') && count-- > 0
      ? refused.reply
      : forward(message),
  );
  const { site, urls } = await fill(mock);
  const journal = writeJournal(join(folder, 'run.jsonl'), mock.baseUrl, entries(site), stated);
  const result = await runHere(['cleanup', journal, ...flags], credentialsOf(mock));
  expect(result.stdout.trimEnd().split('\n')).toEqual(says(site));
  expect([result.status, urls()]).toEqual([status, left]);
});

test('deletes with an API key only', async () => {
  await using mock = await openMock();
  const { site, urls } = await fill(mock);
  const entries = [...ownSubscription, target(2, 'site', { target: name }), { entry: 2, created: site }];
  const journal = writeJournal(join(folder, 'key.jsonl'), mock.baseUrl, entries);
  const { SITEPUB_API_KEY = '' } = credentialsOf(mock);
  const { status, stdout } = await runHere(['cleanup', journal], { SITEPUB_API_KEY });
  expect(stdout.trimEnd().split('\n')).toEqual([...deleted, `deleted  site ${site}: ${name}`]);
  expect([status, urls()]).toEqual([0, [shared]]);
});

test('searches no journal in a folder that others can write', async () => {
  await using mock = await openMock();
  const TMPDIR = mkdtempSync(join(folder, 'others-'));
  const usual = ownFolder(TMPDIR).path;
  rmSync(usual, { recursive: true });
  symlinkSync(folder, usual);
  const { status, stderr } = await run(['cleanup'], { ...credentialsOf(mock), TMPDIR });
  expect(stderr).toContain('the folder for journals cannot be used; pass the path of a journal');
  expect([status, readdirSync(TMPDIR)]).toEqual([2, [basename(usual)]]);
});

test('uses the journal of the latest ended run by default', async () => {
  await using mock = await openMock();
  const TMPDIR = mkdtempSync(join(folder, 'own-'));
  const files = ownFolder(TMPDIR).path;
  const none = await run(['cleanup'], { ...credentialsOf(mock), TMPDIR });
  expect(none).toMatchObject({ status: 2, stdout: '' });
  expect(none.stderr).toContain(
    `there is no journal of an ended run in ${files}; pass the path of a journal`,
  );
  const ended = 2 ** 22 + 1;
  const runs: [time: number, pid: number][] = [
    [1, ended],
    [2, ended],
    [3, process.pid],
  ];
  for (const [time, pid] of runs) {
    const text = target(1, 'content', { site: 101, target: `${name} text ${time}` });
    writeJournal(join(files, `run-${time}-${pid}.jsonl`), mock.baseUrl, [text]);
  }
  const { status, stdout, stderr } = await run(['cleanup'], { ...credentialsOf(mock), TMPDIR });
  expect(stderr).toContain(`with its journal ${join(files, `run-2-${ended}.jsonl`)}\n`);
  expect(stdout).toContain(`${name} text 2 (not found)`);
  expect(status).toBe(0);
});

/** Creates a site of the run, and two subscriptions, one of them of the run. */
async function fill(mock: StartedMock) {
  const token = String(mock.tenants[0]?.apiKey);
  const call = (path: string, body: object) => sendJson(`${mock.baseUrl}${path}`, body, { token });
  for (const url of [own, shared])
    await call('/tenant/sites/101/webhooks', { url, events: ['form.submit'], channel: 'custom' });
  const created = await call('/tenant/sites', { site_name: name });
  const { data } = (await created.json()) as { data: { site_id: number } };
  const urls = () =>
    mock.control
      .subscriptions(101)
      .subscriptions.map(({ url }) => url)
      .toSorted()
      .reverse();
  return { site: data.site_id, urls };
}
