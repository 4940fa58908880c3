// Does not build the image; runs the commands of the Dockerfile outside of a container.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openMock } from '../cli/testing.ts';
import { runProgram } from './testing/run-program.ts';

const root = new URL('..', import.meta.url);
const dockerfile = readFileSync(new URL('Dockerfile', root), 'utf8');
const instructions = dockerfile.replaceAll('\\\n', '').split('\n');

test('the image runs the mock without root', () => {
  const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')));
  expect(last.filter((line) => /^(USER|EXPOSE|ENTRYPOINT|CMD) /.test(line))).toEqual([
    'USER node',
    'EXPOSE 4010',
    'ENTRYPOINT ["node", "/opt/sitepub/cli/sitepub.mjs"]',
    'CMD ["mock", "--host", "0.0.0.0"]',
  ]);
});

test('copied files exist and are not ignored', () => {
  const sources = instructions
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
    .flatMap((line) => line.split(' ').slice(1, -1))
    .filter((source) => source !== '.');
  const included = readFileSync(new URL('.dockerignore', root), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  expect(sources.filter((source) => !included.includes(source.split('/')[0] ?? ''))).toEqual([]);
  expect([...sources, ...included].filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
  const { include } = JSON.parse(readFileSync(new URL('tsconfig.build.json', root), 'utf8'));
  expect(include.filter((name: string) => !included.includes(name))).toEqual([]);
});

test('the health check recognizes a running mock', async () => {
  const line = instructions.find((text) => text.startsWith('HEALTHCHECK '));
  const [command, ...args]: string[] = JSON.parse(line?.slice(line.indexOf('[')) ?? '[]');
  expect(command).toBe('node');
  const mock = await openMock();
  const env = { ...process.env, SITEPUB_PORT: new URL(mock.baseUrl).port };
  const check = () => runProgram(process.execPath, args, { cwd: fileURLToPath(root), env });
  expect((await check()).status).toBe(0);
  await mock.close();
  expect((await check()).status).toBe(1);
});
