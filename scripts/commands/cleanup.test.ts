// What `sitepub cleanup` deletes, and what it says of each entry of a journal.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadProfile, statedValues } from '../../openapi/profile.ts';
import { credentialsOf, openCommand, openMock } from '../testing.ts';

const { folder, run, remove } = openCommand();

afterAll(remove);

const run1 = 'abcdef01';
const main = { tenant: 'main' } as const;

test.concurrent('deletes nothing at an address that does not bear the run’s identifier', async () => {
  await using mock = await openMock();
  const shared = 'https://hooks.example.com/sitepub';
  const own = `https://hooks.example.com/sitepub/${run1}/1`;
  const { call } = await openSession(mock);
  for (const url of [shared, own])
    await call('POST', '/tenant/sites/101/webhooks', { url, events: ['form.submit'], channel: 'custom' });
  const journal = journalOf(mock, 'foreign', [
    { entry: 1, what: 'subscription', site: 101, target: shared, ...main },
    { entry: 2, what: 'subscription', site: 101, target: own, ...main },
  ]);
  const { status, stdout } = await run(['cleanup', '--journal', journal], credentialsOf(mock));
  const { data } = await call('GET', '/tenant/sites/101/webhooks');
  expect(urlsIn(data)).toEqual([shared]);
  expect(stdout).toContain(`left     subscription (of unknown identifier) on site 101: ${shared}`);
  expect(stdout).toContain(`deleted  subscription 2 on site 101: ${own}`);
  expect(status).toBe(1);
});

function journalOf({ baseUrl }: { baseUrl: string }, name: string, lines: readonly object[]): string {
  const file = join(folder, `${name}.jsonl`);
  const profile = { name: 'default', stated: statedValues(loadProfile('default')) };
  const head = { sitepub_journal: 1, run: run1, base_url: baseUrl, profile };
  writeFileSync(file, [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

interface Envelope {
  data?: unknown;
}

/** Calls a mock as its first user. */
async function openSession(mock: Parameters<typeof credentialsOf>[0] & { baseUrl: string }) {
  const { SITEPUB_USERNAME: username, SITEPUB_PASSWORD: password } = credentialsOf(mock);
  let token: string | undefined;
  const call = async (method: string, path: string, body?: object): Promise<Envelope> => {
    const headers = {
      'Content-Type': 'application/json',
      ...(token && { Authorization: `Bearer ${token}` }),
    };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return (await (await fetch(`${mock.baseUrl}${path}`, init)).json()) as Envelope;
  };
  const login = await call('POST', '/auth/tenant/login', { username, password });
  ({ token } = Object(login.data) as { token: string });
  return { call };
}

function urlsIn(data: unknown): unknown[] {
  const text = JSON.stringify(data);
  return [...text.matchAll(/"url":"([^"]*)"/g)].map(([, url]) => url);
}
