// The hand-written YAML files as one generated JSON file, which is read in a twentieth of the time.
import { readFileSync } from 'node:fs';

export type DescriptionFile = 'site-publishing.yaml' | 'provisional.yaml' | 'mock-control.yaml';

export interface Contract {
  gaps: unknown[];
  requirements: unknown[];
  descriptions: Record<DescriptionFile, unknown>;
}

/** The contract of the last `npm run generate`; a test fails when the YAML files have changed since. */
export const contract = JSON.parse(
  readFileSync(new URL('generated/contract.json', import.meta.url), 'utf8'),
) as Contract;
