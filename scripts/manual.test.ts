// What holds for the manual as a whole: its translation, the names it installs, the versions it tells.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { typeScriptBlocks } from './testing/type-check-blocks.ts';

const root = new URL('..', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const pages = [
  ...['README.md', 'README.zh-CN.md', 'CONTRIBUTING.md', 'action.yml'],
  ...globSync(['docs/**/*.md', 'examples/**/*.*', '.github/**/*.*'], { cwd: fileURLToPath(root) }),
];
const sources = globSync('{scripts,client,webhooks,mock,contract-tests}/**/*.{ts,mjs}', {
  cwd: fileURLToPath(root),
  exclude: ['**/*.test.ts'],
});

test('README.zh-CN.md has the code blocks of README.md, and leads to the same pages', () => {
  const [english, chinese] = [read('README.md'), read('README.zh-CN.md')];
  const blocks = (text: string) => [...text.matchAll(/^```[^\n]*\n.*?^```/gms)].map(([block]) => block);
  expect(blocks(english).length).toBeGreaterThan(8);
  expect(blocks(chinese)).toEqual(blocks(english));
  const headings = (text: string) => text.match(/^## /gm)?.length;
  // One section more: what those want to know who use WeCom, DingTalk and Feishu.
  expect(headings(chinese)).toBe(Number(headings(english)) + 1);
  const targets = (text: string) =>
    new Set([...text.matchAll(/\]\((?!README)([^)#]+)/g)].map(([, to]) => to));
  expect([...targets(chinese)].sort()).toEqual([...targets(english)].sort());
});

/** A name that npm would ask a registry for, where nobody has published it. */
const registryName =
  /\b(?:npm|pnpm|yarn|bun) (?:i|install|add|exec)\b[^`\n]*?\ssitepub(?![-\w./])|\bsitepub@\d|--package=sitepub(?![-\w./])/;

test('nothing tells people to fetch sitepub by a name that nobody has published', () => {
  expect([...pages, ...sources].filter((file) => registryName.test(read(file)))).toEqual([]);
});

test.for([
  ['npm install --save-dev sitepub', true],
  ['npm i -D sitepub vitest', true],
  ['npx --yes sitepub@0.1.0 test', true],
  ['npx --package=sitepub --package=typescript@5 sitepub types', true],
  ['npm install ../sitepub/sitepub-0.2.0.tgz', false],
  ["npm install 'git+https://host/sitepub.git#v0.2.0'", false],
  ['npx --package=./sitepub-0.2.0.tgz sitepub types', false],
  ['uses: your-organisation/sitepub@v0.2.0', false],
] as const)('%s asks a registry for that name: %s', ([text, want]) => {
  expect(registryName.test(text)).toBe(want);
});

test('tarballs and tags that the manual names are those of this version', () => {
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/sitepub-(\d[\w.]*?)\.tgz|sitepub(?:\.git#|@)v(\d[\w.]*)/g)].map(
      ([, tarball, tag]) => `${page}: ${tarball ?? tag}`,
    ),
  );
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((one) => !one.endsWith(`: ${packageJson.version}`))).toEqual([]);
});

test('a block of TypeScript is found whatever its language is called', () => {
  const page = '```ts\na\n```\n\n1. x\n   ```typescript title="b"\n   b\n   ```\n';
  expect(typeScriptBlocks(page)).toEqual(['a\n', '   b\n']);
  expect(typeScriptBlocks(read('README.md'))).toHaveLength(1);
});
