// What `sitepub exec` starts, on Windows as far as another system can tell.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'sitepub-run-'));
writeFileSync(join(folder, 'npm.CMD'), '@echo off\n', { mode: 0o755 });
writeFileSync(join(folder, 'tool.EXE'), 'MZ', { mode: 0o755 });
afterAll(() => rmSync(folder, { recursive: true }));

function startedOnWindows(command: string, args: readonly string[]): [string, string[]] {
  const script = `
    import child from 'node:child_process';
    import { syncBuiltinESMExports } from 'node:module';
    Object.defineProperty(process, 'platform', { value: 'win32' });
    child.spawn = (command, args) => { console.log(JSON.stringify([command, args])); process.exit(0); };
    syncBuiltinESMExports();
    const { takeSignals } = await import(${JSON.stringify(new URL('run-command.ts', import.meta.url).href)});
    await takeSignals()(...${JSON.stringify([command, args])}, process.env);`;
  const env = { PATH: folder, PATHEXT: '.EXE;.CMD', comspec: 'cmd.exe' };
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' }),
  );
}

test('a command that is a .cmd file is run by the shell, and no argument says more than it says', () => {
  const [shell, args] = startedOnWindows('npm', ['test', 'a b', '50%', '"q" & calc.exe']);
  expect([shell, ...args.slice(0, 3)]).toEqual(['cmd.exe', '/d', '/s', '/c']);
  const [, , , line = ''] = args;
  expect(line).toMatch(/npm \^+"test\^+" /);
  // What is special to the shell stands behind its escape.
  expect(line.replaceAll(/\^./g, '')).not.toMatch(/[&%|<>]/);
});

test('a program is run without a shell', () => {
  expect(startedOnWindows('tool', ['a b', '&'])).toEqual(['tool', ['a b', '&']]);
});

test('a signal that is not told yet when the command is to begin keeps it from that', () => {
  const script = `
    const { takeSignals } = await import(${JSON.stringify(new URL('run-command.ts', import.meta.url).href)});
    const run = takeSignals();
    process.kill(process.pid, 'SIGINT');
    console.log(await run(process.execPath, ['-e', 'console.log("ran")'], process.env));`;
  const args = ['--input-type=module', '-e', script];
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('130\n');
});
