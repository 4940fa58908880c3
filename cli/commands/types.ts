import { visibleLines } from '../../contract-tests/core/visible-text.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { readProfile } from '../options/deployment-options.ts';
import type { Given } from '../options/flags.ts';
import { readOut, writeOutput } from '../output/output-file.ts';

/** `sitepub types`: a TypeScript module with the types of the deployment that a profile describes. */
export async function types(given: Given): Promise<number> {
  const out = readOut(given);
  const profile = readProfile(given) ?? loadProfile('default');
  const { generateTypes } = await import('../types/generate-types.ts');
  writeOutput(out, visibleLines(await generateTypes(profile)));
  return 0;
}
