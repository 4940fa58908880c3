// `npm run generate` writes one JSON file from the YAML files, because it loads 20 times faster.
import { readFileSync } from 'node:fs';

export type DescriptionFile = 'site-publishing.yaml' | 'provisional.yaml' | 'mock-control.yaml';

export interface Contract {
  gaps: unknown[];
  requirements: unknown[];
  descriptions: Record<DescriptionFile, unknown>;
  demoWorld: unknown;
}

export const contract = JSON.parse(
  readFileSync(new URL('generated/contract.json', import.meta.url), 'utf8'),
) as Contract;
