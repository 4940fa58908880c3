import { mkdtempSync, renameSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { StartedMock, StartOptions } from '../../mock/start.ts';
import { linesOf, openCommand, sendJson } from '../testing.ts';
import { startReloadingMock, watchForChanges } from './reloading-mock.ts';

describe('watchForChanges', { tags: ['ci'] }, () => {
  function open() {
    const folder = mkdtempSync(join(tmpdir(), 'sitepub-watch-'));
    const file = join(folder, 'acme.yaml');
    writeFileSync(file, 'one');
    let changes = 0;
    const stop = watchForChanges(file, () => {
      changes++;
    });
    onTestFinished(stop);
    return { folder, file, stop, changes: () => changes };
  }

  test.concurrent.for([
    ['is written', ({ file }) => writeFileSync(file, 'two')],
    [
      'is replaced, as editors do',
      ({ file, folder }) => {
        writeFileSync(join(folder, 'draft'), 'two');
        renameSync(join(folder, 'draft'), file);
      },
    ],
    ['is deleted', ({ file }) => unlinkSync(file)],
    [
      'becomes a link',
      ({ file, folder }) => {
        writeFileSync(join(folder, 'other.yaml'), 'two');
        unlinkSync(file);
        symlinkSync(join(folder, 'other.yaml'), file);
      },
    ],
  ] as [string, (place: ReturnType<typeof open>) => void][])(
    'reports a file that %s once',
    async ([, change], { expect }) => {
      const place = open();
      await sleep(30);
      change(place);
      await expect.poll(place.changes, { timeout: 5000 }).toBe(1);
      await sleep(500);
      expect(place.changes()).toBe(1);
    },
  );

  test('does not report a touched file, or one that is no longer watched', async () => {
    const { file, stop, changes } = open();
    await sleep(30);
    utimesSync(file, new Date(), new Date(Date.now() + 5000));
    await sleep(700);
    stop();
    writeFileSync(file, 'two');
    await sleep(700);
    expect(changes()).toBe(0);
  });
});

describe('a reloading mock', { tags: ['nightly'] }, () => {
  const worldOf = (name: string) =>
    JSON.stringify({
      tenants: [{ name, users: [{ username: 'lin', password: 'p' }], sites: [{ name: 'S' }] }],
    });

  async function open(options: StartOptions = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'sitepub-reload-'));
    const [world, profile] = [join(folder, 'world.yaml'), join(folder, 'profile.yaml')];
    writeFileSync(world, worldOf('One'));
    writeFileSync(profile, 'login.token: /data/token\n');
    const said: string[] = [];
    const replaced: StartedMock[] = [];
    const running = await startReloadingMock(
      { clock: 'manual', ...options, world, profile },
      { say: (message) => said.push(message), onReplaced: (mock) => replaced.push(mock) },
    );
    onTestFinished(async () => {
      await running.stop();
      await running.current().close();
    });
    const logIn = async () => {
      const user = { username: 'lin', password: 'p' };
      return (await sendJson(`${running.current().baseUrl}/auth/tenant/login`, user)).json();
    };
    return { world, profile, said, replaced, running, logIn };
  }

  const soon = { timeout: 10_000 };

  test('a changed world file restarts the world at the same URLs, and a reset returns to it', async () => {
    const { world, said, running, replaced } = await open();
    const mock = running.current();
    writeFileSync(world, worldOf('Two'));
    await expect.poll(() => said, soon).toEqual([`the world of ${world} was reloaded`]);
    expect([running.current() === mock, replaced, mock.tenants[0]?.name]).toEqual([true, [], 'Two']);
    await mock.control.reset();
    expect(Object.values((await mock.control.world()).tenants)).toEqual([{ id: 1, name: 'Two' }]);
  });

  test.for([
    ['world', 'tenants: [{ nam: Two }]', 'tenants[0]: there is no member "nam"; did you mean "name"?'],
    ['profile', 'login.tokn: /data/key\n', 'unknown gap "login.tokn"; did you mean "login.token"?'],
  ] as const)('reports an invalid %s file, and changes nothing', async ([kind, text, says]) => {
    const { said, replaced, running, logIn, ...files } = await open();
    await logIn();
    const mock = running.current();
    const before = await mock.control.world();
    writeFileSync(files[kind], text);
    await expect.poll(() => said.length, soon).toBe(1);
    expect(said[0]).toContain(`${files[kind]}:1: ${says}`);
    expect(said[0]).toMatch(/\nthe (world of|profile) \S+ was not reloaded$/);
    expect([running.current() === mock, replaced]).toEqual([true, []]);
    expect(await mock.control.world()).toEqual(before);
    expect(await logIn()).toMatchObject({ code: 0, data: { token: expect.any(String) } });
    await mock.control.reset();
    expect(mock.tenants[0]?.name).toBe('One');
  });

  test('a changed profile applies at the same URLs, and the world survives', async () => {
    const { profile, said, replaced, running, logIn } = await open({ controlPort: 0, controlToken: 'known' });
    const { baseUrl, controlUrl } = running.current();
    await running.current().control.setFaults(['third-retry-missing']);
    await running.current().control.advance('PT1M');
    const before = await running.current().control.world();
    writeFileSync(profile, 'login.token: /data/session/key\n');
    await expect.poll(() => said, soon).toEqual([`the profile ${profile} was reloaded`]);
    const mock = running.current();
    expect(replaced).toEqual([mock]);
    expect([mock.baseUrl, mock.controlUrl, mock.controlToken]).toEqual([baseUrl, controlUrl, 'known']);
    expect([await mock.control.world(), (await mock.control.faults()).on]).toEqual([
      before,
      ['third-retry-missing'],
    ]);
    expect(await logIn()).toMatchObject({
      code: 0,
      data: { session: { key: expect.stringMatching(/^st_/) } },
    });
  });

  test('the certificate survives a reload', async () => {
    const { profile, replaced, running } = await open({ https: true });
    const { certificate } = running.current();
    writeFileSync(profile, 'login.token: /data/session/key\n');
    await expect.poll(() => replaced.length, soon).toBe(1);
    expect(running.current().certificate).toBe(certificate);
  });

  test('sitepub mock --watch reports reloads', async () => {
    const { folder, startMockProcess } = openCommand();
    const file = join(folder, 'world.yaml');
    writeFileSync(file, worldOf('One'));
    await using mock = await startMockProcess(['--watch', '--log', 'json', '--world', file]);
    const next = linesOf(mock.child.stderr);
    writeFileSync(file, worldOf('Two'));
    const told = [JSON.parse(`${await next()}`), JSON.parse(`${await next()}`)];
    expect(told).toContainEqual({ type: 'reload', message: `the world of ${file} was reloaded` });
    expect(await mock.end('SIGINT')).toBe(0);
  });
});
