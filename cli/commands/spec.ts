import { visibleJson, visibleLines } from '../../contract-tests/core/visible-text.ts';
import { visibleYaml } from '../../contract-tests/core/visible-yaml.ts';
import { addExamples } from '../../openapi/add-examples.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { resolve } from '../../openapi/resolve.ts';
import { samplesFor } from '../../openapi/samples.ts';
import { readProfile, readUrl } from '../options/deployment-options.ts';
import type { Given } from '../options/flags.ts';
import { readOut, writeOutput } from '../output/output-file.ts';

export async function spec(given: Given): Promise<number> {
  const out = readOut(given);
  const url = readUrl(given, 'base-url');
  const profile = readProfile(given) ?? loadProfile('default');
  const description = structuredClone(resolve(profile));
  addExamples(description, samplesFor(profile), profile);
  if (url !== undefined) description.servers = [{ url }];
  const text = out?.endsWith('.json') ? `${visibleJson(description, 2)}\n` : visibleYaml(description);
  writeOutput(out, text);
  return 0;
}

export async function types(given: Given): Promise<number> {
  const out = readOut(given);
  const profile = readProfile(given) ?? loadProfile('default');
  const { generateTypes } = await import('../types/generate-types.ts');
  writeOutput(out, visibleLines(await generateTypes(profile)));
  return 0;
}
