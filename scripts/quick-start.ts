import type { StartedMock } from '../mock/start.ts';

/** What the mock says on the screen when it is ready: where it is, who can log in, and what to try. */
export function quickStart({ baseUrl, controlUrl, tenants }: StartedMock, profile: string): string {
  const [tenant, other] = tenants;
  const [user, second] = tenant?.users ?? [];
  const [otherUser] = other?.users ?? [];
  const body = JSON.stringify({ username: user?.username, password: user?.password });
  const lines = [
    `sitepub mock, profile ${profile}`,
    '',
    `  base address  ${baseUrl}`,
    `  health        ${controlUrl}/health`,
    '',
    ...tenants.flatMap(({ name, users, apiKey, sites }) => [
      `  ${name}`,
      ...users.map(({ username, password }) => `    user     ${username}  password ${password}`),
      `    API key  ${apiKey}`,
      `    sites    ${sites.map(({ id, name: site }) => `${id} ${site}`).join(', ')}`,
      '',
    ]),
    'Log in:',
    '',
    `  curl -sS ${baseUrl}/auth/tenant/login -H 'Content-Type: application/json' -d '${body}'`,
    '',
    'Check it with the contract suite, in another terminal:',
    '',
    `  export SITEPUB_USERNAME=${user?.username} SITEPUB_PASSWORD=${user?.password} SITEPUB_SITE_ID=${tenant?.sites[0]?.id} \\`,
    `    SITEPUB_API_KEY=${tenant?.apiKey} \\`,
    `    SITEPUB_SECOND_USERNAME=${second?.username} SITEPUB_SECOND_PASSWORD=${second?.password} \\`,
    `    SITEPUB_OTHER_USERNAME=${otherUser?.username} SITEPUB_OTHER_PASSWORD=${otherUser?.password} SITEPUB_OTHER_SITE_ID=${other?.sites[0]?.id}`,
    `  npx sitepub test --base-url ${baseUrl} --profile ${profile}`,
    '',
    'Ctrl-C ends it.',
  ];
  return lines.join('\n');
}
