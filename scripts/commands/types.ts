import { visibleLines } from '../../contract-tests/core/visible-text.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { type Flags, readFlagsOrHelp, textFlag } from '../options/flags.ts';
import { profileFlag, readProfile } from '../options/shared-flags.ts';
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
  const profile = readProfile(given) ?? loadProfile('default');
  const { generateTypes } = await import('../generate/generate-types.ts');
  writeOutput(out, visibleLines(await generateTypes(profile)));
  return 0;
}
