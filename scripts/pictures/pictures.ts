// Takes the pictures of docs/images/: the HTML report of a red run, at both widths and in both schemes.
import { mkdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { htmlReport } from '../../contract-tests/reports/html.ts';
import { views, withPage } from './open-page.ts';
import { makeRedReport } from './red-report.ts';

const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const mostBytes = 150_000;

const html = htmlReport(await makeRedReport());
mkdirSync(folder, { recursive: true });
for (const view of views) {
  const path = `${folder}report-${view.width}-${view.scheme}.webp` as const;
  await withPage({ html, ...view }, (page) => page.screenshot({ path, type: 'webp', quality: 80 }));
  const { size } = statSync(path);
  if (size > mostBytes) throw new Error(`${path} has ${size} bytes; at most ${mostBytes} are wanted`);
  console.log(`${path} ${size} bytes`);
}
