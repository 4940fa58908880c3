// The members of sitepub.config.yaml, and its JSON Schema.
import type { Json } from '../../openapi/json.ts';
import { testFlags } from './deployment-flags.ts';
import { variables } from './environment.ts';
import type { Flag } from './flags.ts';
import { mockFlags } from './mock-flags.ts';

/** Sets a flag or an environment variable. */
export interface Member {
  flag?: string;
  variable?: string;
  /** Values that are relative to the file: a path, a profile that is not the name of a packaged one, or a `file:` store. */
  pathKind?: 'path' | 'profile' | 'store' | undefined;
  schema: Json;
}

/** By name; "credentials.site" is a member of a map. */
export type Members = Readonly<Record<string, Member>>;

/** By placeholder of the flag. */
const pathKinds: Readonly<Record<string, Member['pathKind']>> = {
  F: 'path',
  FILE: 'path',
  P: 'profile',
  STORE: 'store',
};

const ofVariables: Readonly<Record<'name' | 'secret' | 'site', Json>> = {
  name: { type: 'string', description: 'A username.' },
  secret: {
    type: 'string',
    pattern: '^\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}$',
    description: `The name of a variable, such as \${STAGING_PASSWORD}; secrets do not belong in this file.`,
    writeOnly: true,
  },
  site: {
    type: ['integer', 'string'],
    pattern: '^(\\d{1,30}|\\$\\{.*\\})$',
    description: 'The identifier of a site, a whole number.',
  },
};

function addressSchema(description: string): Json {
  return { type: 'string', pattern: '^(https?://[^@?#]*$|\\$\\{)', description };
}

/** Flags of `sitepub test` that belong to a deployment. */
const flagsOfDeployments = [
  ...['profile', 'baseline', 'expected-failures', 'ca', 'cert', 'key'],
  ...['receiver-listen', 'receiver-url', 'control-url'],
];

/** Headers are missing here, because users choose their names. */
export const deploymentMembers: Members = {
  url: {
    flag: 'url',
    schema: addressSchema(
      'The base URL of the deployment. It ends in /api/v1, and contains neither credentials nor a query.',
    ),
  },
  ...Object.fromEntries(
    Object.entries(testFlags)
      .filter(([name]) => flagsOfDeployments.includes(name))
      .map(([name, flag]): [string, Member] => [
        name.replace('receiver-', 'receiver.').replace('-', '_'),
        memberOf(name, flag),
      ]),
  ),
  ...Object.fromEntries(
    Object.entries(variables).flatMap(([variable, { kind, member }]): [string, Member][] =>
      member === undefined ? [] : [[member, { variable, schema: ofVariables[kind] }]],
    ),
  ),
};

export const mockMembers: Members = Object.fromEntries(
  Object.entries(mockFlags).map(([name, flag]): [string, Member] => [name, memberOf(name, flag)]),
);

function memberOf(name: string, flag: Flag): Member {
  const pathKind = pathKinds[flag.value ?? ''];
  return {
    flag: name,
    pathKind,
    // The flag does not read the variable, which may contain a password.
    ...(pathKind === 'store' && { variable: 'SITEPUB_STORE' }),
    schema: { title: flag.help, ...schemaOf(flag) },
  };
}

function schemaOf({ value }: Flag): Json {
  if (value === undefined) return { type: 'boolean' };
  if (value.endsWith('…')) return { type: 'array', items: { type: 'string' } };
  if (/^[a-z]+\|/.test(value)) return { enum: value.split('|') };
  if (value === 'URL') return addressSchema('An http or https URL without credentials, query or fragment.');
  return value === 'N' ? { type: 'integer', minimum: 0 } : { type: 'string' };
}

export function configSchema(): Json {
  const name = '[A-Za-z][A-Za-z0-9_-]*';
  const headers = {
    type: 'object',
    description: 'Headers for a gateway: the name of each, and the variable that contains its value.',
    propertyNames: { pattern: `^${name}$`, description: 'A name such as X-Gateway-Token.' },
    additionalProperties: ofVariables.secret,
  };
  const deployment = mapOf(deploymentMembers);
  const properties = { ...deployment.properties, headers };
  return {
    type: 'object',
    additionalProperties: false,
    properties: {
      deployments: {
        type: 'object',
        description: 'Deployments by name, for `sitepub test NAME` and `sitepub discover NAME`.',
        propertyNames: { pattern: `^${name}$`, description: 'A name such as staging.' },
        additionalProperties: { ...deployment, properties, required: ['url'] },
      },
      mock: {
        ...mapOf(mockMembers),
        description: 'Default values for flags of `sitepub mock` and `sitepub exec`.',
      },
    },
  };
}

interface MapSchema extends Json {
  properties: Record<string, Json>;
}

function mapOf(members: Members): MapSchema {
  const whole = emptyMap();
  for (const [name, { schema }] of Object.entries(members)) {
    const steps = name.split('.');
    let map = whole;
    for (const step of steps.slice(0, -1)) {
      map.properties[step] ??= emptyMap();
      map = map.properties[step] as MapSchema;
    }
    map.properties[steps.at(-1) ?? ''] = schema;
  }
  return whole;
}

function emptyMap(): MapSchema {
  return { type: 'object', additionalProperties: false, properties: {} };
}
