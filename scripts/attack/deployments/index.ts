// The one list of hostile deployments.
import { endless } from './endless.ts';
import { large } from './large.ts';
import { oddValues } from './odd-values.ts';
import type { Deployment } from './serve.ts';

export const deployments: readonly Deployment[] = [...endless, ...large, ...oddValues];
