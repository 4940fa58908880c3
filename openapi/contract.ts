// One generated JSON file replaces the hand-written YAML files, since it loads in a twentieth of the time.
import { readFileSync } from 'node:fs';

export type DescriptionFile = 'site-publishing.yaml' | 'provisional.yaml' | 'mock-control.yaml';

export interface Contract {
  gaps: unknown[];
  requirements: unknown[];
  descriptions: Record<DescriptionFile, unknown>;
  demoWorld: unknown;
}

/** `npm run generate` writes the file; a test fails when the YAML files have changed since. */
export const contract = JSON.parse(
  readFileSync(new URL('generated/contract.json', import.meta.url), 'utf8'),
) as Contract;
