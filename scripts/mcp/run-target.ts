// What a run is against: the deployment that was named at the start, or the mock. A client can name no address.
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { isThisMachine } from '../../openapi/this-machine.ts';
import { connectionFlags, receiverFlags } from '../options/deployment-flags.ts';
import type { Flags, Given } from '../options/flags.ts';
import { mockEnvironment } from '../options/mock-environment.ts';
import { UsageError } from '../options/usage-error.ts';
import { trustIn } from '../output/certificate-file.ts';
import { addSecretsOf } from './known-secrets.ts';
import type { Session } from './session.ts';

export type TargetName = 'deployment' | 'mock';

/** What a run of the target is made with. */
export interface Target {
  args: readonly string[];
  env: NodeJS.ProcessEnv;
}

export function readTarget(name: TargetName, session: Session): Promise<Target> | Target {
  return name === 'mock' ? mockTarget(session) : deploymentTarget(session);
}

function deploymentTarget({ given }: Session): Target {
  const [baseUrl, profile] = [given.text('base-url'), given.text('profile')];
  if (baseUrl === undefined)
    throw new UsageError(
      'this server was started without --base-url, so there is no deployment to run against; start it again with one, or choose the target "mock"',
    );
  return {
    args: [
      ...[`--base-url=${baseUrl}`, ...(profile === undefined ? [] : [`--profile=${profile}`])],
      ...passedOn(given, { ...connectionFlags, ...receiverFlags }),
    ],
    // A mock's clock is not that of a deployment.
    env: { ...process.env, SITEPUB_CONTROL_URL: undefined },
  };
}

function passedOn(given: Given, flags: Flags): string[] {
  return Object.entries(flags).flatMap(([name, { kind }]) => {
    if (kind === 'names') return given.list(name).map((value) => `--${name}=${value}`);
    const value = given.text(name);
    return value === undefined ? [] : [`--${name}=${value}`];
  });
}

/** With the credentials of the mock's seed, and none of those that the environment has for a deployment. */
async function mockTarget({ findMock, secrets }: Session): Promise<Target> {
  const mock = findMock();
  const { base_url: baseUrl } = await mock.GET('/health');
  requireSameHost(baseUrl, mock.url);
  const { tenants: seeded } = await mock.GET('/tenants');
  const tenants = seeded.map(toTenant);
  addSecretsOf(seeded, secrets);
  const { SITEPUB_CONTROL_TOKEN: token, SITEPUB_CONTROL_TOKEN_FILE: tokenFile, ...others } = process.env;
  const usual = Object.entries(others).filter(([name]) => !name.startsWith('SITEPUB_'));
  return {
    args: [`--base-url=${baseUrl}`, `--control-url=${mock.url}`],
    env: {
      ...Object.fromEntries(usual),
      ...mockEnvironment({ baseUrl, controlUrl: mock.url, controlToken: token, tenants }),
      SITEPUB_CONTROL_TOKEN_FILE: tokenFile,
      ...trustIn(mock.trusted),
    },
  };
}

/** Of others than the seed's, the mock keeps digests alone. */
function toTenant({ users, api_keys: keys, sites }: Schemas['Tenant']) {
  return {
    users: users.flatMap(({ username, password }) =>
      password === undefined ? [] : [{ username, password }],
    ),
    apiKey: keys.find(({ key }) => key !== undefined)?.key ?? '',
    sites: sites.map(({ id }) => ({ id })),
  };
}

/** What a control API says must not lead credentials and calls to another machine. */
function requireSameHost(baseUrl: unknown, controlUrl: string): void {
  const base = typeof baseUrl === 'string' ? URL.parse(baseUrl) : null;
  const control = new URL(controlUrl);
  const isSame = base?.hostname === control.hostname;
  const isHere = base !== null && isThisMachine(base.hostname) && isThisMachine(control.hostname);
  if (base && /^https?:$/.test(base.protocol) && (isSame || isHere)) return;
  throw new UsageError(
    `the mock at ${controlUrl} names a base address on another host, which is not called; name it with --base-url at the start`,
  );
}
