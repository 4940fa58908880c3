import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import packageJson from '../../package.json' with { type: 'json' };
import { npmCommand } from '../programs.mjs';
import { runProgram } from './run-program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Packs the checkout like npm, but does not touch its dist/. */
export async function packCheckout(folder: string): Promise<void> {
  const stage = join(folder, 'stage');
  const listed = packageJson.files.filter((file) => file !== 'dist' && !file.startsWith('!'));
  for (const file of ['package.json', 'README.md', 'LICENSE', ...listed])
    cpSync(join(root, file), join(stage, file), { recursive: true });
  const built = await run(['scripts/build.ts', join(stage, 'dist')], root);
  if (built.status !== 0) throw new Error(`the package can't be built:\n${built.stderr}`);
  await npm(['pack', '--ignore-scripts', '--pack-destination', folder], stage);
}

/** Rejects with all output if it fails. */
export function npm(words: readonly string[], cwd: string, env = process.env) {
  const [command, args, shell] = npmCommand(process.execPath, [...words]);
  return promisify(execFile)(command, args, { cwd, shell, env, maxBuffer: 1e7 });
}

/** Also installs it with its declared dependencies. Returns its folder. */
export async function installCheckout(folder: string, home: string): Promise<string> {
  await packCheckout(folder);
  const installed = join(home, 'node_modules/sitepub');
  mkdirSync(installed, { recursive: true });
  const tarball = join(folder, `sitepub-${packageJson.version}.tgz`);
  await promisify(execFile)('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
  for (const name of Object.keys(packageJson.dependencies)) linkPackage(name, home);
  return installed;
}

/** Links a package of the checkout into another folder. */
export function linkPackage(name: string, home: string): void {
  const place = join(home, 'node_modules', name);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(root, 'node_modules', name), place, 'junction');
}

/** Runs Node without settings of the user. */
export function run(
  args: readonly string[],
  cwd: string,
  node = process.execPath,
  variables: Readonly<Record<string, string>> = {},
) {
  const own = Object.entries(process.env).filter(([name]) => !/^(SITEPUB|GITHUB)_/.test(name));
  return runProgram(node, args, { cwd, env: { ...Object.fromEntries(own), NO_COLOR: '1', ...variables } });
}
