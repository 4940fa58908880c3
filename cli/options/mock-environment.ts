// The environment of a command that uses a mock.
import type { StartedMock } from '../../mock/start.ts';
import type { Environment } from './flags.ts';

interface RunningMock extends Pick<StartedMock, 'baseUrl' | 'controlUrl' | 'controlToken'> {
  tenants: readonly (Pick<StartedMock['tenants'][number], 'users' | 'apiKey'> & {
    sites: readonly { id: number | bigint }[];
  })[];
}

/** The environment variables with which a command uses a mock, as `sitepub test` reads them. What the world does not have is left out. */
export function mockEnvironment(mock: RunningMock): Record<string, string> {
  const [main, other] = mock.tenants;
  const [user, second] = main?.users ?? [];
  const [otherUser] = other?.users ?? [];
  const variables: Record<string, string | number | bigint | undefined> = {
    SITEPUB_BASE_URL: mock.baseUrl,
    SITEPUB_CONTROL_URL: mock.controlUrl,
    SITEPUB_CONTROL_TOKEN: mock.controlToken,
    SITEPUB_USERNAME: user?.username,
    SITEPUB_PASSWORD: user?.password,
    SITEPUB_SITE_ID: main?.sites[0]?.id,
    SITEPUB_API_KEY: main?.apiKey,
    SITEPUB_SECOND_USERNAME: second?.username,
    SITEPUB_SECOND_PASSWORD: second?.password,
    SITEPUB_OTHER_USERNAME: otherUser?.username,
    SITEPUB_OTHER_PASSWORD: otherUser?.password,
    SITEPUB_OTHER_SITE_ID: other?.sites[0]?.id,
  };
  const given = Object.entries(variables).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

const thisMachine = ['localhost', '127.0.0.1', '::1'];

/** The variables that keep clients from asking a proxy for what is on this machine, at a URL too; what they name already stays. */
export function withoutProxy(
  url: string,
  { NO_PROXY: upper = '', no_proxy: lower = '' }: Environment = process.env,
): Record<string, string> {
  const hosts = [...thisMachine, new URL(url).hostname.replace(/^\[|\]$/g, '')];
  const extend = (given: string) => {
    const named = given.split(/[\s,]+/).filter(Boolean);
    return named.includes('*') ? given : [...new Set([...named, ...hosts])].join(',');
  };
  return { NO_PROXY: extend(upper || lower), no_proxy: extend(lower || upper) };
}
