// The members of sitepub.config.yaml: what each stands for, and the JSON Schema that readers and editors check the file by.
import type { Json } from '../../openapi/json.ts';
import type { Flag } from './flags.ts';
import { mockFlags } from './mock-flags.ts';

/** A member that fills in for a flag or for a variable of the environment. */
export interface Member {
  flag?: string;
  variable?: string;
  /** What is relative to the file: a path, a profile unless it is the name of a packaged one, a store behind `file:`. */
  kind?: 'path' | 'profile' | 'store' | undefined;
  schema: Json;
}

/** By name; a dot leads into a map. */
export type Members = Readonly<Record<string, Member>>;

const text = (description: string): Json => ({ type: 'string', description });

const address = (description: string): Json => {
  return { type: 'string', pattern: '^(https?://[^@?#]*$|\\$\\{)', description };
};

const site: Json = {
  type: ['integer', 'string'],
  pattern: '^(\\d{1,30}|\\$\\{.*\\})$',
  description: 'The identifier of a site, a whole number.',
};

const secret: Json = {
  type: 'string',
  pattern: '^\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}$',
  description: `The name of a variable, such as \${STAGING_PASSWORD}: a secret does not belong in this file.`,
  writeOnly: true,
};

const path = (flag: string, description: string): Member => {
  return { flag, kind: 'path', schema: text(description) };
};

const profile = 'How the deployment fills the gaps: path of a profile, or name of a packaged one.';

/** Headers, which have names of their own, come beside these. */
export const deploymentMembers: Members = {
  url: { schema: address('The address of the deployment, which ends in /api/v1.') },
  profile: { flag: 'profile', kind: 'profile', schema: text(profile) },
  baseline: path('baseline', 'JSON report of an earlier run, which each run is held to.'),
  expected_failures: path('expected-failures', 'Known failures that are accepted.'),
  ca: path('ca', 'Certificates of private authorities (PEM), trusted beside the usual ones.'),
  cert: path('cert', 'Client certificate (PEM).'),
  key: path('key', 'Its private key (PEM), unless it is in the same file.'),
  key_passphrase: { variable: 'SITEPUB_KEY_PASSPHRASE', schema: secret },
  'receiver.listen': { flag: 'receiver-listen', schema: text('Where webhooks are received, as HOST:PORT.') },
  'receiver.url': { flag: 'receiver-url', schema: address('The address at which that is reached.') },
  control_url: { flag: 'control-url', schema: address('The control API of a mock.') },
  'credentials.username': { variable: 'SITEPUB_USERNAME', schema: text('A user of a tenant.') },
  'credentials.password': { variable: 'SITEPUB_PASSWORD', schema: secret },
  'credentials.api_key': { variable: 'SITEPUB_API_KEY', schema: secret },
  'credentials.site': { variable: 'SITEPUB_SITE_ID', schema: site },
  'credentials.second.username': { variable: 'SITEPUB_SECOND_USERNAME', schema: text('Another user of it.') },
  'credentials.second.password': { variable: 'SITEPUB_SECOND_PASSWORD', schema: secret },
  'credentials.other.username': {
    variable: 'SITEPUB_OTHER_USERNAME',
    schema: text('A user of another one.'),
  },
  'credentials.other.password': { variable: 'SITEPUB_OTHER_PASSWORD', schema: secret },
  'credentials.other.site': { variable: 'SITEPUB_OTHER_SITE_ID', schema: site },
  'credentials.control_token': { variable: 'SITEPUB_CONTROL_TOKEN', schema: secret },
};

const kinds: Readonly<Record<string, Member['kind']>> = {
  profile: 'profile',
  store: 'store',
  world: 'path',
  'tls-cert': 'path',
  'tls-key': 'path',
};

const choices: Readonly<Record<string, readonly string[]>> = {
  clock: ['real', 'manual'],
  limits: ['on', 'off'],
  log: ['text', 'json'],
  'store-migrate': ['start', 'never'],
};

/** The flags of `sitepub mock start`. */
export const mockMembers: Members = Object.fromEntries(
  Object.entries(mockFlags).map(([name, flag]): [string, Member] => [
    name,
    {
      // As a flag, a store could have no password in it.
      ...(name === 'store' ? { variable: 'SITEPUB_STORE' } : { flag: name }),
      kind: kinds[name],
      schema: { title: flag.help, ...schemaOfFlag(name, flag) },
    },
  ]),
);

function schemaOfFlag(name: string, { kind, value }: Flag): Json {
  if (kind === 'switch' || kind === 'secret') return { type: 'boolean' };
  if (kind === 'list') return { type: 'array', items: { type: 'string' } };
  if (choices[name]) return { enum: choices[name] };
  return value === 'N' ? { type: 'integer', minimum: 0 } : { type: 'string' };
}

export function configSchema(): Json {
  const name = '[A-Za-z][A-Za-z0-9_-]*';
  const headers = {
    type: 'object',
    description: 'Headers that a gateway demands: each name with the variable of its value.',
    propertyNames: { pattern: `^${name}$`, description: 'A name such as X-Gateway-Token.' },
    additionalProperties: secret,
  };
  const deployment = mapOf(deploymentMembers);
  const properties = { ...deployment.properties, headers };
  return {
    type: 'object',
    additionalProperties: false,
    properties: {
      deployments: {
        type: 'object',
        description: 'Deployments, by the names that `sitepub test NAME` and `sitepub discover NAME` take.',
        propertyNames: { pattern: `^${name}$`, description: 'A name such as staging.' },
        additionalProperties: { ...deployment, properties, required: ['url'] },
      },
      mock: {
        ...mapOf(mockMembers),
        description: 'Defaults of the flags of `sitepub mock` and `sitepub exec`, by their names.',
      },
    },
  };
}

function mapOf(members: Members): ReturnType<typeof emptyMap> {
  const whole = emptyMap();
  for (const [name, { schema }] of Object.entries(members)) {
    const steps = name.split('.');
    let properties = whole.properties;
    for (const step of steps.slice(0, -1)) {
      const inner = (properties[step] as ReturnType<typeof emptyMap> | undefined) ?? emptyMap();
      properties[step] = inner;
      properties = inner.properties;
    }
    properties[steps.at(-1) ?? ''] = schema;
  }
  return whole;
}

function emptyMap() {
  const properties: Json = {};
  return { type: 'object', additionalProperties: false, properties };
}
