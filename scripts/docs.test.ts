// The pages of docs/ and CONTRIBUTING: links lead somewhere, and what is named is there.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { remarkTitles } from '../contract-tests/deployment/remarks.ts';
import { metricNames } from '../mock/metrics/metrics.ts';
import { readRequirements } from '../openapi/registers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

test('links to headings lead to a heading', () => {
  const pages = [
    'README.md',
    'README.zh-CN.md',
    'CONTRIBUTING.md',
    ...globSync('docs/**/*.md', { cwd: root }),
  ];
  const broken = pages.flatMap((page) =>
    [...readPage(page).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)]
      .filter(([, target = '', anchor = '']) => {
        const linked = target === '' ? page : join(dirname(page), target);
        return !anchorsOf(readPage(linked)).includes(anchor);
      })
      .map(([link]) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

/** The anchors of headings, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  return [...page.replaceAll(/^```.*?^```/gms, '').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every file and folder that CONTRIBUTING.md names is there', () => {
  const page = readPage('CONTRIBUTING.md');
  const named = [...page.matchAll(/`([\w./*-]+(?:\.ts|\.yaml|\/))`/g)].map(([, path = '']) => path);
  const there = globSync(['*', '*/*', '{mock,contract-tests,scripts}/**'], { cwd: root });
  const isThere = (path: string) => {
    const pattern = path.replace(/\/$/, '');
    const patterns = [pattern, `openapi/${pattern}`, `{mock,contract-tests,scripts}/**/${pattern}`];
    return (
      existsSync(resolve(root, path)) || there.some((one) => patterns.some((each) => matchesGlob(one, each)))
    );
  };
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((path) => !isThere(path))).toEqual([]);
});

test('docs/verdicts.md explains every remark, and readings name no other', () => {
  const explained = [...readPage('docs/verdicts.md').matchAll(/^\| `([\w-]+)` \|/gm)].map(([, id]) => id);
  expect(explained).toEqual(Object.keys(remarkTitles));
  const named = readRequirements().flatMap(({ reading }) =>
    [...reading.matchAll(/\((?:remark )?([a-z]+(?:-[a-z]+)*)\)/g)].map(([, id]) => id),
  );
  expect(new Set(named).size).toBeGreaterThan(10);
  expect(named.filter((id) => !explained.includes(id))).toEqual([]);
});

test('docs/shared-mock.md explains each metric', () => {
  const named = readPage('docs/shared-mock.md').match(/(?<=`)sitepub_\w+(?=[`{])/g) ?? [];
  const places = ['sitepub_entry', 'sitepub_deliveries', 'sitepub_sessions'];
  const isMetric = (name: string) => !places.includes(name);
  expect([...new Set(named.filter(isMetric))].sort()).toEqual([...metricNames].sort());
});

function readPage(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}
