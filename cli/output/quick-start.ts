// The start screen of the mock.
import { plainWord, shellWord } from '../../contract-tests/core/shell-word.ts';
import { visible, visibleJson } from '../../contract-tests/core/visible-text.ts';
import type { StartedMock } from '../../mock/start.ts';
import { showStoreUrl } from '../../mock/store/store-url.ts';
import { operationsOf, writeRequest } from '../../openapi/operations.ts';
import type { Profile } from '../../openapi/profile.ts';
import { resolve } from '../../openapi/resolve.ts';
import type { Given } from '../options/flags.ts';
import { settingFlags } from '../options/mock-flags.ts';
import { mockEnvironment, readStore } from '../options/mock-options.ts';
import { withNpx } from '../options/with-npx.ts';

export interface ShownMock extends Omit<StartedMock, 'control' | 'worlds'> {
  /** Its origin on this machine, if --public-url names another one. */
  listensAt?: string;
}

const mostTenants = 5;

interface QuickStart {
  profile: Profile;
  settings: readonly string[];
  /** The certificates to trust, for a mock with HTTPS. */
  certificateFile?: string | undefined;
  isLogged: boolean;
}

export function quickStart(
  mock: ShownMock,
  { profile, settings, certificateFile: file, isLogged }: QuickStart,
): string {
  const { baseUrl, controlUrl, listensAt, controlToken, tenants } = mock;
  const hidden = tenants.length - mostTenants;
  const curl = file === undefined ? 'curl -sS' : `curl -sS --cacert ${plainWord(file)}`;
  return [
    `sitepub mock, profile ${visible(profile.name)}`,
    '',
    ...namedLines({
      'base URL': baseUrl,
      'listens at': listensAt,
      console: `${controlUrl}/console`,
      reference: `${new URL('/docs', baseUrl)}`,
      'control API': controlUrl,
      token: controlToken,
      certificate: file,
    }),
    '',
    ...(settings.length > 0 ? ['Set by flags or variables:', '', ...settings, ''] : []),
    ...tenants.slice(0, mostTenants).flatMap(describeTenant),
    ...(hidden > 0 ? [`  and ${hidden} more`, ''] : []),
    ...(file === undefined ? [] : [`For Node, set NODE_EXTRA_CA_CERTS=${plainWord(file)}.`, '']),
    ...describeLogin(mock, curl),
    ...describeRetries(mock, profile, curl),
    'Run the contract suite against it, in another terminal:',
    '',
    `  export ${describeEnvironment(mock, file)}`,
    withNpx(`  sitepub test --base-url ${baseUrl} --control-url ${controlUrl}`),
    '',
    withNpx(
      `Commands for a running mock${controlToken === undefined ? '' : ' (set SITEPUB_CONTROL_TOKEN to its token)'}: \`sitepub mock inbox shop\`, \`sitepub mock advance PT36M\` and others (\`sitepub --help\`).`,
    ),
    isLogged
      ? 'Requests and pushes are logged below (--quiet turns this off). Press Ctrl-C to stop.'
      : 'Press Ctrl-C to stop.',
  ].join('\n');
}

/** The flags and variables that are set, one line each. */
export function settingsGiven(given: Given): string[] {
  const flags = [...Object.keys(settingFlags), 'watch'];
  const store = readStore(given);
  return namedLines({
    ...Object.fromEntries(flags.map((flag) => [flag, given.list(flag).join(', ')])),
    ...(store !== undefined && { store: showStoreUrl(store) }),
  });
}

/** Leaves out names without a value. */
function namedLines(values: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value ? [`  ${name.padEnd(12)}  ${visible(value)}`] : [],
  );
}

function describeTenant({ name, users, apiKey, sites }: ShownMock['tenants'][number]): string[] {
  const siteNames = sites.map((site) => `${site.id} ${visible(site.name)}`);
  return [
    `  ${visible(name)}`,
    ...users.map(
      ({ username, password }) => `    user     ${visible(username)}  password ${visible(password)}`,
    ),
    ...(apiKey === undefined ? [] : [`    API key  ${visible(apiKey)}`]),
    ...(sites.length === 0 ? [] : [`    sites    ${siteNames.join(', ')}`]),
    '',
  ];
}

function describeLogin({ baseUrl, tenants }: ShownMock, curl: string): string[] {
  const [user] = tenants[0]?.users ?? [];
  if (!user) return [];
  const call = `${curl} ${baseUrl}/auth/tenant/login -H 'Content-Type: application/json' -d ${shellWord(JSON.stringify(user))}`;
  return ['Log in:', '', `  ${call}`, ''];
}

/** Calls that make an inbox refuse a push, advance the clock, and list the attempts. */
function describeRetries(mock: ShownMock, profile: Profile, curl: string): string[] {
  const { baseUrl, controlUrl, controlToken, tenants } = mock;
  const [{ apiKey, sites: [site] = [] } = {}] = tenants;
  const operation = operationsOf(resolve(profile)).find(({ id }) => id === 'createSubscription');
  if (apiKey === undefined || !site || !operation) return [];
  const inbox = `${controlUrl}/inbox/shop`;
  const subscription = { url: inbox, events: ['form.submit'], channel: 'custom' };
  const path = operation.path.replace('{siteID}', String(site.id));
  const json = (body: unknown) => ` -H 'Content-Type: application/json' -d ${shellWord(visibleJson(body))}`;
  const bearer = (token: string) => ` -H ${shellWord(`Authorization: Bearer ${token}`)}`;
  const asTenant = bearer(apiKey);
  const asControl = controlToken === undefined ? '' : bearer(controlToken);
  return [
    'Let a push to an inbox of the mock fail three times, advance the clock by 36 minutes, and list the attempts:',
    '',
    `  ${curl} ${baseUrl}${path}${asTenant}${json(writeRequest(operation, subscription))}`,
    `  ${curl} -X PUT ${inbox}${asControl}${json({ respond: [500, 500, 500] })}`,
    `  ${curl} ${controlUrl}/events${asControl}${json({ event: 'form.submit', site_id: site.id })}`,
    `  ${curl} ${controlUrl}/clock${asControl}${json({ advance: 'PT36M' })}`,
    `  ${curl} ${inbox}/messages${asControl}`,
    '',
  ];
}

function describeEnvironment(mock: ShownMock, file: string | undefined): string {
  // The command itself contains the URLs.
  const skipped = ['SITEPUB_BASE_URL', 'SITEPUB_CONTROL_URL'];
  const variables = Object.entries(mockEnvironment(mock)).filter(([name]) => !skipped.includes(name));
  if (file !== undefined) variables.push(['NODE_EXTRA_CA_CERTS', file]);
  return variables.map(([name, value]) => `${name}=${shellWord(value)}`).join(' \\\n    ');
}
