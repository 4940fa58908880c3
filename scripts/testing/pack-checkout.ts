import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import packageJson from '../../package.json' with { type: 'json' };
import { npmCommand } from '../programs.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Packs the checkout into a folder, as npm would, but without touching its dist/. */
export async function packCheckout(folder: string): Promise<void> {
  const stage = join(folder, 'stage');
  const listed = packageJson.files.filter((file) => file !== 'dist' && !file.startsWith('!'));
  for (const file of ['package.json', 'README.md', 'LICENSE', ...listed])
    cpSync(join(root, file), join(stage, file), { recursive: true });
  const built = await run(['scripts/build.ts', join(stage, 'dist')], root);
  if (built.status !== 0) throw new Error(`the package can't be built:\n${built.stderr}`);
  const words = ['pack', '--ignore-scripts', '--pack-destination', folder];
  const [npm, args, shell] = npmCommand(process.execPath, words);
  await promisify(execFile)(npm, args, { cwd: stage, shell });
}

/** Packs the checkout into a folder, and installs it in another with the dependencies that it declares. Returns where it is. */
export async function installCheckout(folder: string, home: string): Promise<string> {
  await packCheckout(folder);
  const installed = join(home, 'node_modules/sitepub');
  mkdirSync(installed, { recursive: true });
  const tarball = join(folder, `sitepub-${packageJson.version}.tgz`);
  await promisify(execFile)('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
  for (const name of Object.keys(packageJson.dependencies)) linkPackage(name, home);
  return installed;
}

/** Installs a package of the checkout in another folder, too. */
export function linkPackage(name: string, home: string): void {
  const place = join(home, 'node_modules', name);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(root, 'node_modules', name), place, 'junction');
}

/** Runs Node to its end, without the settings of the user. */
export function run(
  args: readonly string[],
  cwd: string,
  node = process.execPath,
  variables: Readonly<Record<string, string>> = {},
) {
  const own = Object.entries(process.env).filter(([name]) => !/^(SITEPUB|GITHUB)_/.test(name));
  const options = { cwd, env: { ...Object.fromEntries(own), NO_COLOR: '1', ...variables }, maxBuffer: 1e7 };
  return new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    execFile(node, args, options, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}
