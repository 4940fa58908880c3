import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { openCommand } from '../testing.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { runHere, remove } = openCommand();

afterAll(remove);

async function run(...args: string[]) {
  const { status, stdout, stderr } = await runHere(['docs', ...args]);
  return { code: status, text: stdout.replace(/\n$/, ''), stderr };
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

test.for(['profiles', 'docs/Profiles.md'])('prints a page whole: %s', async (topic) => {
  const page = readFileSync(join(root, 'docs/profiles.md'), 'utf8');
  expect(await run(topic)).toEqual({ code: 0, text: page.trimEnd(), stderr: '' });
});

test.for([
  ['profils', 'there is no page "profils"; did you mean "profiles"?'],
  ['../package', 'there is no page "../package"; `sitepub docs` lists all'],
] as const)('refuses %s', async ([topic, message]) => {
  expect(await run(topic)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});
