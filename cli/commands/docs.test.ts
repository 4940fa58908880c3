import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openCommand } from '../testing.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { runHere } = openCommand();

const namesIn = (folder: string) =>
  globSync(`docs/${folder}/*.md`, { cwd: root })
    .map((path) => basename(path, '.md'))
    .sort();

test('lists every page by folder with its title, and says where they are', async () => {
  const { status, stdout } = await runHere(['docs']);
  const rows = stdout.split('\n').filter((line) => /^ {2}|^\w+:$/.test(line));
  expect(status).toBe(0);
  expect(rows.map((row) => row.trim().split(/ {2,}/)[0])).toEqual([
    ...['readme', 'readme.zh-cn', 'changelog', 'tutorial'],
    ...['guides', 'reference', 'explanation'].flatMap((folder) => [`${folder}:`, ...namesIn(folder)]),
  ]);
  expect(rows.filter((row) => !/^ {2}\S+ +\S|:$/.test(row))).toEqual([]);
  expect(stdout).toMatch(/\n {2}config +Configuration file\n/);
  expect(stdout).toContain(`examples in ${join(root, 'examples')}.`);
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
    expect(await runHere(['docs', topic])).toEqual({ status: 0, stdout: page, stderr: '' });
  },
);
