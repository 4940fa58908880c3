// The description of a deployment that its own framework would have generated, and what can be learnt from it.
import type { Json } from '../../../openapi/json.ts';
import { type Profile, statedValues } from '../../../openapi/profile.ts';
import { createRandom, type Random } from '../../../openapi/random-profile.ts';
import { deploymentOperations } from './deployment-operations.ts';
import { type ExpectedValue, expectedValues } from './expected-values.ts';
import type { Spelling } from './field-list.ts';
import { noiseOperations } from './noise-operations.ts';
import { styles } from './styles/index.ts';
import { writeDescription } from './write-description.ts';

export type StyleName = keyof typeof styles;

export const styleNames = Object.keys(styles) as StyleName[];

export interface DescribedDeployment {
  style: StyleName;
  /** OpenAPI 2.0, 3.0 or 3.1, as plain JSON. */
  description: Json;
  /** By gap: every operation, and what the four documented endpoints show. */
  expected: Readonly<Record<string, ExpectedValue>>;
  /** Ends in /api/v1. */
  baseUrl: string;
  /** The profile of the deployment: the given one, or with other paths where the framework would not have those. */
  profile: Profile;
}

interface Deployment {
  profile: Profile;
  style: StyleName;
  seed: number;
}

/** The same profile, style and seed return the same description. */
export function describeDeployment({ profile: given, style, seed }: Deployment): DescribedDeployment {
  const random = createRandom(seed * 7919 + styleNames.indexOf(style));
  const { adapt, rename, framework } = styles[style];
  const profile = adapt?.(given, random) ?? given;
  const spelling = spellingOf(profile, random);
  const options = { random, spelling, rename: rename(random) };
  const own = deploymentOperations(profile, options);
  const all = mix([...own, ...noiseOperations(own, options)], random);
  const origin = random.pick([
    'https://api.example.com',
    'http://localhost:8080',
    'https://sites.example.cn',
  ]);
  const written = writeDescription(all, framework({ random, spelling, origin }), random);
  return {
    style,
    description: written.description,
    expected: expectedValues(profile, written.told),
    baseUrl: `${origin}/api/v1`,
    profile,
  };
}

/** How most of the profile's names are spelt. */
function spellingOf(profile: Profile, random: Random): Spelling {
  const text = JSON.stringify(
    Object.entries(statedValues(profile)).filter(([id]) => !id.startsWith('webhook.')),
  );
  const camels = text.match(/[a-z][A-Z][a-z]/g)?.length ?? 0;
  const snakes = text.match(/[a-z]_[a-z]/g)?.length ?? 0;
  return camels === snakes ? random.pick(['camel', 'snake']) : camels > snakes ? 'camel' : 'snake';
}

/** Operations of one resource stand together, resources in any order. */
function mix<T extends { resource: string }>(operations: readonly T[], random: Random): T[] {
  return random.shuffle([...Map.groupBy(operations, ({ resource }) => resource).values()]).flat();
}
