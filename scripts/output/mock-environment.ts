import type { StartedMock } from '../../mock/start.ts';

/** What a command needs in order to use a mock, by the names that `sitepub test` reads too. What the world lacks is left out. */
export function mockEnvironment({
  baseUrl,
  controlUrl,
  controlToken,
  tenants,
}: StartedMock): Record<string, string> {
  const [own, other] = tenants;
  const [user, second] = own?.users ?? [];
  const [stranger] = other?.users ?? [];
  const variables: Record<string, string | undefined> = {
    SITEPUB_BASE_URL: baseUrl,
    SITEPUB_CONTROL_URL: controlUrl,
    SITEPUB_CONTROL_TOKEN: controlToken,
    SITEPUB_USERNAME: user?.username,
    SITEPUB_PASSWORD: user?.password,
    SITEPUB_SITE_ID: idOfSite(own),
    SITEPUB_API_KEY: own?.apiKey,
    SITEPUB_SECOND_USERNAME: second?.username,
    SITEPUB_SECOND_PASSWORD: second?.password,
    SITEPUB_OTHER_USERNAME: stranger?.username,
    SITEPUB_OTHER_PASSWORD: stranger?.password,
    SITEPUB_OTHER_SITE_ID: idOfSite(other),
  };
  const given = Object.entries(variables).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Record<string, string>;
}

function idOfSite(tenant: StartedMock['tenants'][number] | undefined): string | undefined {
  return tenant?.sites[0] && String(tenant.sites[0].id);
}
