import { loadProfile } from '../../openapi/profile.ts';
import { version } from '../../openapi/version.ts';
import { visibleLines } from '../../openapi/visible-text.ts';
import { type Flags, readFlagsOrHelp, textFlag } from '../options/flags.ts';
import { profileFlag } from '../options/shared-flags.ts';
import { UsageError } from '../options/usage-error.ts';
import { readOut, writeOutput } from '../output/output-file.ts';

const flags: Flags = {
  profile: profileFlag,
  out: textFlag('FILE', 'write to a file (default: the screen)'),
};

/** `sitepub types`: a TypeScript module with the types of the deployment that a profile describes. */
export async function types(args: readonly string[]): Promise<number> {
  const given = readFlagsOrHelp(args, flags, { usage: 'sitepub types [--profile P] [--out FILE]' });
  if (!given) return 0;
  const out = readOut(given);
  const profile = loadProfile(given.text('profile') ?? 'default');
  const { generateTypes } = await loadGenerator();
  writeOutput(out, visibleLines(await generateTypes(profile)));
  return 0;
}

const tarball = `./sitepub-${version}.tgz`;

/** The generator needs an optional peer dependency, which nothing else of the package needs. */
async function loadGenerator(): Promise<typeof import('../generate/generate-types.ts')> {
  try {
    return await import('../generate/generate-types.ts');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    throw new UsageError(
      `types are written by openapi-typescript with TypeScript 5, and ${isMissing ? 'one of them is not installed' : 'another TypeScript is installed'}; install both:\n` +
        '  npm install --save-dev openapi-typescript typescript@5\n' +
        'or, if your project has another TypeScript, leave it as it is and fetch both for this command alone:\n' +
        `  npx --package=${tarball} --package=openapi-typescript --package=typescript@5 sitepub types …\n` +
        'where the first package is the tarball or the git URL that you have installed sitepub from',
    );
  }
}
