import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openCommand } from '../testing.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { runHere } = openCommand();

async function run(...args: string[]) {
  const { status, stdout, stderr } = await runHere(['docs', ...args]);
  return { code: status, text: stdout.replace(/\n$/, ''), stderr };
}

const namesIn = (folder: string) =>
  globSync(`docs/${folder}/*.md`, { cwd: root })
    .map((path) => basename(path, '.md'))
    .sort();

test('lists every page by folder with its title, and says where they are', async () => {
  const { code, text } = await run();
  const rows = text.split('\n').filter((line) => /^ {2}|^\w+:$/.test(line));
  expect(code).toBe(0);
  expect(rows.map((row) => row.trim().split(/ {2,}/)[0])).toEqual([
    ...['readme', 'readme.zh-cn', 'changelog', 'tutorial'],
    ...['guides', 'reference', 'explanation'].flatMap((folder) => [`${folder}:`, ...namesIn(folder)]),
  ]);
  expect(rows.filter((row) => !/^ {2}\S+ +\S|:$/.test(row))).toEqual([]);
  expect(text).toMatch(/\n {2}config +Configuration file\n/);
  expect(text).toContain(`examples in ${join(root, 'examples')}.`);
});

test('no two pages have the same name', () => {
  const names = ['guides', 'reference', 'explanation'].flatMap(namesIn).concat('tutorial', 'readme');
  expect(names.length).toBeGreaterThan(15);
  expect(new Set(names).size).toBe(names.length);
});

test.for(['config', 'reference/config', 'docs/reference/Config.md'])(
  'prints a page whole: %s',
  async (topic) => {
    const page = readFileSync(join(root, 'docs/reference/config.md'), 'utf8');
    expect(await run(topic)).toEqual({ code: 0, text: page.trimEnd(), stderr: '' });
  },
);

test.for([
  ['profil', 'there is no page "profil"; did you mean "profile"?'],
  ['guides/config', 'there is no page "guides/config"'],
  ['docs/readme.md/x', 'there is no page "docs/readme.md/x"'],
  ['../package', 'there is no page "../package"; `sitepub docs` lists all'],
] as const)('refuses %s', async ([topic, message]) => {
  expect(await run(topic)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});
