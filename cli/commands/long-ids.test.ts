// @module-tag ci
// A mock whose identifiers are integers above 2^53, by the command line: what it prints, and what the commands for a running mock print.
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import { openCommand } from '../testing.ts';

const { folder, start, runHere, remove } = openCommand();
afterAll(remove);

const site = '1892345678901234567';
const world = join(folder, 'world.yaml');
writeFileSync(
  world,
  `tenants:
  - name: Acme
    users: [{ username: lin, password: pw }]
    api_keys: [{ key: sp_acme }]
    sites:
      - id: ${site}
        name: Hills
        subscriptions: [{ url: "http://127.0.0.1:9/", events: [comment.created], channel: custom }]
`,
);

/** Digits that a rounded identifier would have, or what stands for one. */
const others = /1892345678901234[0-46-9]\d\d|(?<!\d)4[5-9]\d{14}(?!\d)/;

test('every digit is printed', async () => {
  const child = start(['mock', '--port', '0', '--world', world, '--json']);
  try {
    const [ready] = (await once(createInterface(child.stdout), 'line')) as [string];
    expect(ready).toContain(`"site_ids":[${site}]`);
    const controlUrl = /"control_url":"([^"]+)"/.exec(ready)?.[1] ?? '';
    const run = (...args: string[]) => runHere(args, { SITEPUB_CONTROL_URL: controlUrl });
    const saved = join(folder, 'saved.json');
    const outputs = [
      await run('mock', 'trigger', 'comment.created', '--site', site, '--json'),
      await run('mock', 'trigger', 'comment.created'),
      await run('mock', 'deliveries', '--json'),
      await run('mock', 'save', saved),
      await run('mock', 'load', saved),
      await run('mock', 'requests', '--json'),
    ];
    for (const output of outputs) expect(output).toMatchObject({ status: 0, stderr: '' });
    for (const index of [0, 2]) expect(outputs[index]?.stdout).toContain(`"site_id":${site}`);
    expect(readFileSync(saved, 'utf8')).toContain(`"${site}":{"id":${site},`);
    const all = outputs.map(({ stdout }) => stdout).join('') + ready + readFileSync(saved, 'utf8');
    expect(all).not.toMatch(others);
    const wrong = await run('mock', 'trigger', 'comment.created', '--site', `${site}0`);
    expect(wrong.stderr).toContain(
      `--site is "${site}0"; expected a whole number from 0 to 9223372036854775807`,
    );
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});

test('the greeting of a mock names it, with calls that have every digit', async () => {
  const child = start(['mock', '--port', '0', '--world', world]);
  try {
    let text = '';
    for await (const line of createInterface(child.stdout)) {
      text += `${line}\n`;
      if (line.includes('Ctrl-C')) break;
    }
    expect(text).toContain(`sites    ${site} Hills`);
    expect(text).toContain(`/tenant/sites/${site}/webhooks`);
    expect(text).toContain(`"site_id":${site}`);
    expect(text).toContain(`SITEPUB_SITE_ID='${site}'`);
    expect(text).not.toMatch(others);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});

/** Does something with a mock of its own process, by its control address. */
async function withMock<T>(args: readonly string[], use: (controlUrl: string) => Promise<T>): Promise<T> {
  const child = start(['mock', '--port', '0', '--vary', 'long-ids', '--json', ...args]);
  try {
    const [ready] = (await once(createInterface(child.stdout), 'line')) as [string];
    return await use(/"control_url":"([^"]+)"/.exec(ready)?.[1] ?? '');
  } finally {
    child.kill();
    await once(child, 'exit');
  }
}

test('a world that was saved with long identifiers goes on with them in another process', async () => {
  const saved = join(folder, 'long.json');
  await withMock([], async (url) => {
    writeFileSync(saved, await (await fetch(`${url}/world`)).text());
  });
  const answers = await withMock(['--world', saved], async (url) => {
    const [id] = /1892345678000000101/.exec(await (await fetch(`${url}/sites`)).text()) ?? [];
    return [id, (await fetch(`${url}/sites/${id}`)).status];
  });
  expect(answers).toEqual(['1892345678000000101', 200]);
});
