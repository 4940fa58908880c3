import { visibleJson } from '../../contract-tests/core/visible-text.ts';
import { visibleYaml } from '../../contract-tests/core/visible-yaml.ts';
import { addExamples } from '../../openapi/add-examples.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { resolve } from '../../openapi/resolve.ts';
import { samplesFor } from '../../openapi/samples.ts';
import { readOptionalUrl } from '../options/deployment-options.ts';
import { type Flags, readFlagsOrHelp, textFlag } from '../options/flags.ts';
import { profileFlag, readProfile } from '../options/shared-flags.ts';
import { readOut, writeOutput } from '../output/output-file.ts';

const flags: Flags = {
  profile: profileFlag,
  'base-url': textFlag(
    'URL',
    'the address that clients call, which ends in /api/v1 (default: that of the mock)',
  ),
  out: textFlag(
    'FILE',
    'write to a file, as JSON where its name ends in .json (default: YAML on the screen)',
  ),
};

/** `sitepub spec`: the OpenAPI description of the deployment that a profile describes. */
export async function spec(args: readonly string[]): Promise<number> {
  const given = readFlagsOrHelp(args, flags, {
    usage: 'sitepub spec [--profile P] [--base-url URL] [--out FILE]',
  });
  if (!given) return 0;
  const out = readOut(given);
  const url = readOptionalUrl(given, 'base-url');
  const profile = readProfile(given) ?? loadProfile('default');
  const description = structuredClone(resolve(profile));
  addExamples(description, samplesFor(profile), profile);
  if (url !== undefined) description.servers = [{ url }];
  const text = out?.endsWith('.json') ? `${visibleJson(description, 2)}\n` : visibleYaml(description);
  writeOutput(out, text);
  return 0;
}
