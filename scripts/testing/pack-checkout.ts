import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import packageJson from '../../package.json' with { type: 'json' };
import { npmCommand } from '../node24.mjs';

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

/** Runs Node to its end, without the settings of the user. */
export function run(args: readonly string[], cwd: string, node = process.execPath) {
  const own = Object.entries(process.env).filter(([name]) => !/^(SITEPUB|GITHUB)_/.test(name));
  const options = { cwd, env: { ...Object.fromEntries(own), NO_COLOR: '1' }, maxBuffer: 1e7 };
  return new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    execFile(node, args, options, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}
