// @module-tag ci
// A mock whose identifiers are integers above 2^53, by the command line: what it prints, and what the commands for a running mock print.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openCommand } from '../testing.ts';

const { folder, startMockProcess, runHere, remove } = openCommand();
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
  await using mock = await startMockProcess(['--world', world]);
  expect(mock.line).toContain(`"site_ids":[${site}]`);
  const run = (...args: string[]) => runHere(args, { SITEPUB_CONTROL_URL: mock.ready.control_url });
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
  const all = outputs.map(({ stdout }) => stdout).join('') + mock.line + readFileSync(saved, 'utf8');
  expect(all).not.toMatch(others);
  const wrong = await run('mock', 'trigger', 'comment.created', '--site', `${site}0`);
  expect(wrong.stderr).toContain(
    `--site is "${site}0"; expected a whole number from 0 to 9223372036854775807`,
  );
});

test('a world that was saved with long identifiers goes on with them in another process', async () => {
  const saved = join(folder, 'long.json');
  await using before = await startMockProcess(['--vary', 'long-ids']);
  writeFileSync(saved, await (await fetch(`${before.ready.control_url}/world`)).text());
  await using after = await startMockProcess(['--vary', 'long-ids', '--world', saved]);
  const { control_url: url } = after.ready;
  const [id] = /1892345678000000101/.exec(await (await fetch(`${url}/sites`)).text()) ?? [];
  expect([id, (await fetch(`${url}/sites/${id}`)).status]).toEqual(['1892345678000000101', 200]);
});
