// The members of sitepub.config.yaml: what each stands for, and the JSON Schema that readers and editors check the file by.
import type { Json } from '../../openapi/json.ts';
import type { Flag } from './flags.ts';
import { mockFlags } from './mock-flags.ts';

/** A member that fills in for a flag or for a variable of the environment. */
export interface Member {
  /** A profile is a path or the name of a packaged one; a secret is the name of a variable; a path may follow `file:` in a store. */
  kind: 'text' | 'address' | 'site' | 'secret' | 'path' | 'profile' | 'store';
  flag?: string;
  variable?: string;
  schema: Json;
}

/** By name; a dot leads into a map. */
export type Members = Readonly<Record<string, Member>>;

type Place = Pick<Member, 'flag' | 'variable'>;

const text = (place: Place, description: string): Member => {
  return { ...place, kind: 'text', schema: { type: 'string', description } };
};

const path = (flag: string, description: string): Member => {
  return { flag, kind: 'path', schema: { type: 'string', description } };
};

const address = (place: Place, description: string): Member => {
  return {
    ...place,
    kind: 'address',
    schema: { type: 'string', pattern: '^(https?://[^@?#]*$|\\$\\{)', description },
  };
};

const secretSchema: Json = {
  type: 'string',
  pattern: '^\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}$',
  description: `The name of a variable, such as \${STAGING_PASSWORD}: a secret does not belong in this file.`,
  writeOnly: true,
};

const secret = (variable: string): Member => ({ variable, kind: 'secret', schema: secretSchema });

const site = (variable: string): Member => {
  return {
    variable,
    kind: 'site',
    schema: {
      type: ['integer', 'string'],
      pattern: '^(\\d{1,30}|\\$\\{.*\\})$',
      description: 'The identifier of a site, a whole number.',
    },
  };
};

/** Headers, which have names of their own, come beside these. */
export const deploymentMembers: Members = {
  url: address({}, 'The address of the deployment, which ends in /api/v1.'),
  profile: {
    flag: 'profile',
    kind: 'profile',
    schema: {
      type: 'string',
      description: 'How the deployment fills the gaps: path of a profile, or name of a packaged one.',
    },
  },
  baseline: path('baseline', 'JSON report of an earlier run, which each run is held to.'),
  expected_failures: path('expected-failures', 'Known failures that are accepted.'),
  ca: path('ca', 'Certificates of private authorities (PEM), trusted beside the usual ones.'),
  cert: path('cert', 'Client certificate (PEM).'),
  key: path('key', 'Its private key (PEM), unless it is in the same file.'),
  key_passphrase: secret('SITEPUB_KEY_PASSPHRASE'),
  'receiver.listen': text({ flag: 'receiver-listen' }, 'Where the webhook receiver listens, as HOST:PORT.'),
  'receiver.url': address({ flag: 'receiver-url' }, 'The address at which the deployment reaches it.'),
  control_url: address({ flag: 'control-url' }, 'The control API of a mock.'),
  'credentials.username': text({ variable: 'SITEPUB_USERNAME' }, 'A user of a tenant.'),
  'credentials.password': secret('SITEPUB_PASSWORD'),
  'credentials.api_key': secret('SITEPUB_API_KEY'),
  'credentials.site': site('SITEPUB_SITE_ID'),
  'credentials.second.username': text(
    { variable: 'SITEPUB_SECOND_USERNAME' },
    'A second user of that tenant.',
  ),
  'credentials.second.password': secret('SITEPUB_SECOND_PASSWORD'),
  'credentials.other.username': text({ variable: 'SITEPUB_OTHER_USERNAME' }, 'A user of another tenant.'),
  'credentials.other.password': secret('SITEPUB_OTHER_PASSWORD'),
  'credentials.other.site': site('SITEPUB_OTHER_SITE_ID'),
  'credentials.control_token': secret('SITEPUB_CONTROL_TOKEN'),
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
      kind: kinds[name] ?? 'text',
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
    additionalProperties: secretSchema,
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
