import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test, vi } from 'vitest';
import { runCommandLine } from '../program/program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const printed = vi.spyOn(console, 'log').mockImplementation(() => {});

afterAll(() => printed.mockRestore());

async function run(...args: string[]) {
  printed.mockClear();
  const code = await runCommandLine(['docs', ...args]);
  return { code, text: printed.mock.calls.flat().join('\n') };
}

test('lists every page with its title, and says where they are', async () => {
  const { code, text } = await run();
  const rows = text.split('\n').filter((line) => line.startsWith('  '));
  const pages = globSync('docs/*.md', { cwd: root }).map((path) => basename(path, '.md'));
  expect(code).toBe(0);
  expect(pages.length).toBeGreaterThan(15);
  expect(rows.map((row) => row.trim().split(/ {2,}/)[0])).toEqual([
    'readme',
    'readme.zh-cn',
    ...pages.sort(),
    'changelog',
  ]);
  expect(rows.filter((row) => !/^ {2}\S+ +\S/.test(row))).toEqual([]);
  expect(text).toMatch(/\n {2}profiles +Describing your deployment: profiles\n/);
  expect(text).toContain(`examples in ${join(root, 'examples')}.`);
});

test.for(['profiles', 'profiles.md', 'docs/profiles.md', 'Profiles'])(
  'prints a page whole: %s',
  async (topic) => {
    const page = readFileSync(join(root, 'docs/profiles.md'), 'utf8');
    expect(await run(topic)).toEqual({ code: 0, text: page.trimEnd() });
  },
);

test.for([
  ['profils', 'there is no page "profils"; did you mean "profiles"?'],
  [
    'quantum-mechanics-of-webhooks',
    'there is no page "quantum-mechanics-of-webhooks"; `sitepub docs` lists all',
  ],
  ['../package', 'there is no page "../package"; `sitepub docs` lists all'],
] as const)('refuses %s', async ([topic, message]) => {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  expect((await run(topic)).code).toBe(2);
  expect(said.mock.calls.flat().join()).toContain(message);
});
