import { loadProfile } from '../../openapi/profile.ts';
import { resolve } from '../../openapi/resolve.ts';
import { visibleJson } from '../../openapi/visible-text.ts';
import { visibleYaml } from '../../openapi/visible-yaml.ts';
import { type Flags, readFlagsOrHelp, textFlag } from '../options/flags.ts';
import { profileFlag } from '../options/shared-flags.ts';
import { readOut, writeOutput } from '../output/output-file.ts';

const flags: Flags = {
  profile: profileFlag,
  out: textFlag(
    'FILE',
    'write to a file, as JSON where its name ends in .json (default: YAML on the screen)',
  ),
};

/** `sitepub spec`: the OpenAPI description of the deployment that a profile describes. */
export async function spec(args: readonly string[]): Promise<number> {
  const given = readFlagsOrHelp(args, flags, { usage: 'sitepub spec [--profile P] [--out FILE]' });
  if (!given) return 0;
  const out = readOut(given);
  const description = resolve(loadProfile(given.text('profile') ?? 'default'));
  const text = out?.endsWith('.json') ? `${visibleJson(description, 2)}\n` : visibleYaml(description);
  writeOutput(out, text);
  return 0;
}
