// @module-tag ci
// A pause for the tenant's logins is said where no terminal shows it: otherwise a job in CI looks dead for a minute.
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, test } from 'vitest';
import { createRealClock } from '../../contract-tests/deployment/deployment-clock.ts';
import { createLoginBudget } from '../../contract-tests/deployment/login-budget.ts';
import { credentialsOf, openCommand, openMock, writeJournal } from '../testing.ts';

const { folder, run, remove } = openCommand();

afterAll(remove);

test.concurrent.for([
  ['test', ['test', '--only', 'LOGIN-1', '--max-wait', '60s']],
  ['discover', ['discover']],
  ['cleanup', ['cleanup']],
] as const)('`sitepub %s` says that it waits for its turn', async ([name, args], { expect }) => {
  await using mock = await openMock();
  const credentials = credentialsOf(mock);
  const temporary = join(folder, name);
  useUpLogins(
    mock.baseUrl,
    String(credentials.SITEPUB_USERNAME),
    join(temporary, `sitepub-${userInfo().username}`),
  );
  const { stderr } = await run([...args, ...targetOf(name, mock.baseUrl)], {
    ...credentials,
    TMPDIR: temporary,
  });
  expect(stderr).toMatch(
    /^sitepub: waiting \d+ s for the limit of 10 logins per minute, which earlier runs have used up\n/,
  );
});

/** Notes ten logins of forty seconds ago: a busy machine takes some seconds until it looks at them. */
function useUpLogins(baseUrl: string, tenant: string, place: string): void {
  const clock = { ...createRealClock(), now: () => Date.now() - 40_000 };
  const budget = createLoginBudget({ baseUrl, maxWaitMs: 0, folder: place }, clock);
  for (let count = 0; count < 10; count++) budget.note(tenant);
}

/** The address, or for `cleanup` a journal with something to delete. */
function targetOf(name: string, baseUrl: string): string[] {
  if (name !== 'cleanup') return ['--base-url', baseUrl];
  const target = { what: 'subscription', site: 101, target: 'http://127.0.0.1:9/x', tenant: 'main' };
  return [writeJournal(join(folder, 'run.jsonl'), baseUrl, [{ entry: 1, ...target }])];
}
