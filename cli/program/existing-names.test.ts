// Pages, messages and examples may name only commands, flags and variables that exist.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { explainUnknown } from '../options/environment.ts';
import { createProgram } from './program.ts';

const root = join(import.meta.dirname, '../..');
const program = createProgram(async () => {});

const isChecked = (file: string) =>
  /\.(md|ts|tsx|mjs|ya?ml|sh)$|Dockerfile$/.test(file) &&
  !/^(CHANGELOG\.md|docs\/decisions\/)|\.test\.ts$/.test(file);

const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter(isChecked);

/** Code in backticks, text after npx, and the start of a shell line. */
const called = /(?:(?<!`)`|npx |^ *\$ |^ {0,8})sitepub ([a-z][^`\n#|&;]*)/gm;

/** A page without the beginnings of its lines of prose, which may start with the name of the product. */
function withoutProse(page: string): string {
  const parts = page.split(/^ *```.*$/m);
  return parts
    .map((part, index) => (index % 2 === 0 ? part.replaceAll(/^ *(?=sitepub )/gm, '· ') : part))
    .join('\n');
}

/** Returns the command, and the remaining words. */
function findCommand([word = '', ...words]: string[], group: Command = program): [Command, string[]] {
  const found = group.commands.find((one) => one.name() === word);
  return found ? findCommand(words, found) : [group, [word, ...words]];
}

/** Names in a text that do not exist. */
function findUnknownNames(text: string): string[] {
  const lines = [...text.matchAll(called)].map(([, line = '']) => line.trim().split(/\s+/));
  const unknown = lines.flatMap((words) => {
    const [command, [first = '', ...others]] = findCommand(words);
    const flags = [first, ...others]
      .join(' ')
      .replace(/(^| )-- .*/, '')
      .match(/(?<=^| )--[a-z][a-z-]*/g);
    const commands = [command, ...command.commands, program];
    const isKnown = (flag: string) =>
      flag === '--help' || commands.some(({ options }) => options.some(({ long }) => long === flag));
    const isWord = command === program && /^[a-z-]+$/.test(first);
    return [...(isWord ? [`sitepub ${first}`] : []), ...(flags ?? []).filter((flag) => !isKnown(flag))];
  });
  const variables = (text.match(/\bSITEPUB_[A-Z_]*[A-Z]\b/g) ?? []).filter((name) =>
    explainUnknown({ [name]: 'x' }),
  );
  return [...unknown, ...variables];
}

const others = /^(sitepub (is|in|itself)|SITEPUB_(HEADER|X|X_FILE))$/;

test('pages, messages and examples name only existing commands, flags and variables', () => {
  const found = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return findUnknownNames(file.endsWith('.md') ? withoutProse(text) : text).map((name) => ({ file, name }));
  });
  expect(found.filter(({ name }) => !others.test(name))).toEqual([]);
});

test.for([
  ['`sitepub receiver --listen 8099`', ['sitepub receiver']],
  ['npx sitepub listen --forward http://127.0.0.1:1', ['--forward']],
  ['sitepub test staging --compare old', []],
  ['$ sitepub mock advance 36m --port 1 # --none', ['--port']],
  ['`sitepub exec --seed 1 -- npm test --workspaces`', []],
  ['  sitepub world save a.json', ['sitepub world']],
  ['SITEPUB_COMPARE_PROFILE=x', ['SITEPUB_COMPARE_PROFILE']],
] as const)('finds in %j: %j', ([text, want]) => {
  expect(findUnknownNames(text)).toEqual(want);
});
