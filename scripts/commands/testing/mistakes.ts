// Mistakes that people make when they start a run, each with what its last line tells them to do.
import { mkdirSync, writeFileSync } from 'node:fs';
import { networkInterfaces, userInfo } from 'node:os';
import { join } from 'node:path';
import { createLoginBudget } from '../../../contract-tests/deployment/login-budget.ts';
import type { StartedMock } from '../../../mock/start.ts';
import { furtherMistakes } from './further-mistakes.ts';
import type { Mistake, Scene } from './mistake.ts';

const base = (url: string) => ({ 'base-url': url });

const addresses: readonly Mistake[] = [
  {
    name: 'no base address',
    flags: () => ({ 'base-url': undefined }),
    status: 2,
    says: /--base-url is missing; give it, or set SITEPUB_BASE_URL/,
  },
  {
    name: 'no address at all',
    flags: () => base('staging'),
    status: 2,
    says: /expected an http or https URL/,
  },
  {
    name: 'a base address without the version',
    flags: ({ mock }) => base(mock.baseUrl.replace('/api/v1', '')),
    status: 2,
    says: /did you mean http:\/\/127\.0\.0\.1:\d+\/api\/v1\?$/,
  },
  {
    name: 'a base address with the version twice',
    flags: ({ mock }) => base(`${mock.baseUrl}/api/v1`),
    status: 2,
    says: /did you mean http:\/\/127\.0\.0\.1:\d+\/api\/v1\?$/,
  },
  {
    name: 'the address of the login',
    flags: ({ mock }) => base(`${mock.baseUrl}/auth/tenant/login`),
    status: 2,
    says: /did you mean http:\/\/127\.0\.0\.1:\d+\/api\/v1\?$/,
  },
  {
    name: 'another version',
    flags: ({ mock }) => base(mock.baseUrl.replace('v1', 'v2')),
    status: 2,
    says: /did you mean http:\/\/127\.0\.0\.1:\d+\/api\/v1\?$/,
  },
  {
    name: 'a port at which nobody listens',
    flags: ({ ports }) => base(`http://127.0.0.1:${ports.closed}/api/v1`),
    status: 3,
    says: /nobody listens there \(ECONNREFUSED\); check --base-url, and whether the service is up$/,
  },
  {
    name: 'a host that does not answer',
    flags: ({ ports }) => base(`http://127.0.0.1:${ports.blackHole}/api/v1`),
    status: 3,
    says: /no connection within 3 s \(ETIMEDOUT\); check --base-url/,
  },
  {
    name: 'a service that takes requests and says nothing',
    // Alone this user needs eight logins, and none may be missed after a first one without an answer.
    environment: () => ({ SITEPUB_API_KEY: '', SITEPUB_OTHER_USERNAME: '', SITEPUB_OTHER_PASSWORD: '' }),
    flags: ({ ports }) => ({
      ...base(`http://127.0.0.1:${ports.silent}/api/v1`),
      profile: undefined,
      'request-timeout': '0.1s',
    }),
    status: 3,
    says: /got no answer: no whole answer within 0\.1 s; check --base-url, and whether the service is up$/,
  },
  {
    name: 'a name that nobody has',
    flags: () => base('http://staging.invalid/api/v1'),
    status: 3,
    says: /its name is not known \(ENOTFOUND\); check --base-url|its name could not be looked up/,
  },
  {
    name: 'https to a server of http',
    flags: ({ mock }) => base(mock.baseUrl.replace('http:', 'https:')),
    status: 2,
    says: /https was spoken to a server of http; did you mean http:\/\/127\.0\.0\.1:\d+\/api\/v1\?$/,
  },
  {
    name: 'http to a server of https',
    flags: ({ ports }) => base(`http://127.0.0.1:${ports.tls}/api/v1`),
    status: 2,
    says: /http was spoken to a server of https; did you mean https:\/\/127\.0\.0\.1:\d+\/api\/v1\?$/,
  },
  {
    name: 'the address of a website',
    flags: ({ ports }) => base(`http://127.0.0.1:${ports.page}/api/v1`),
    status: 3,
    says: /does not answer the login in the envelope .*; is it the address of the service\? check --base-url$/,
  },
  {
    name: 'the address of a website, without the version',
    flags: ({ ports }) => base(`http://127.0.0.1:${ports.page}`),
    status: 2,
    says: /the service answers nowhere near it; check --base-url$/,
  },
  {
    name: 'a gateway without its service',
    flags: ({ ports }) => base(`http://127.0.0.1:${ports.gateway}/api/v1`),
    status: 3,
    says: /can't be reached: a gateway answered in its place .*; check --base-url, and whether the service is up$/,
  },
  {
    name: 'an address that leads elsewhere',
    flags: ({ ports }) => base(`http://127.0.0.1:${ports.redirect}/api/v1`),
    status: 3,
    says: /it leads to https:\/\/elsewhere\.example\/: give --base-url of that place$/,
  },
];

const credentials: readonly Mistake[] = [
  {
    name: 'unset variables',
    environment: () => ({ SITEPUB_USERNAME: '', SITEPUB_PASSWORD: '', SITEPUB_API_KEY: '' }),
    status: 2,
    says: /there are no credentials; set SITEPUB_USERNAME and SITEPUB_PASSWORD, or SITEPUB_API_KEY/,
  },
  {
    name: 'half of the credentials',
    environment: () => ({ SITEPUB_PASSWORD: '' }),
    status: 2,
    says: /SITEPUB_USERNAME is set and SITEPUB_PASSWORD is not; set both/,
  },
  {
    name: 'a file of a secret that is missing',
    environment: () => ({ SITEPUB_PASSWORD: '', SITEPUB_PASSWORD_FILE: '/nowhere/password' }),
    status: 2,
    says: /SITEPUB_PASSWORD_FILE names \/nowhere\/password, which can't be read \(ENOENT\)/,
  },
  {
    name: 'a password as a flag',
    flags: () => ({ password: 'demo' }),
    status: 2,
    says: /secrets are not taken from flags, .*; set SITEPUB_PASSWORD or SITEPUB_PASSWORD_FILE/,
  },
  {
    name: 'a wrong password',
    environment: () => ({ SITEPUB_PASSWORD: 'wrong' }),
    status: 2,
    says: /the login of .* was refused .*; check SITEPUB_USERNAME and SITEPUB_PASSWORD$/,
  },
  {
    name: 'an unknown user',
    environment: () => ({ SITEPUB_USERNAME: 'nobody' }),
    status: 2,
    says: /the login of nobody was refused .*; check SITEPUB_USERNAME and SITEPUB_PASSWORD$/,
  },
  {
    name: 'an API key for a password',
    environment: ({ mock }) => ({ SITEPUB_PASSWORD: String(mock.tenants[0]?.apiKey) }),
    status: 2,
    says: /SITEPUB_PASSWORD begins with sp_ as API keys do: set that as SITEPUB_API_KEY/,
  },
  {
    name: 'a wrong API key',
    environment: () => ({ SITEPUB_API_KEY: 'sp_0123456789abcdef0123456789abcdef' }),
    // A new key shows whether the deployment takes any.
    creates: 2,
    status: 2,
    says: /the API key is refused everywhere as one that nobody was given .*; check SITEPUB_API_KEY, or leave it out$/,
  },
  {
    name: 'a password for an API key',
    environment: () => ({ SITEPUB_API_KEY: 'demo-password-mei' }),
    status: 2,
    says: /as one that nobody was given, and does not begin with sp_ .*; check SITEPUB_API_KEY/,
  },
  {
    name: 'the same user twice',
    environment: ({ mock }) => ({ SITEPUB_OTHER_USERNAME: String(mock.tenants[0]?.users[0]?.username) }),
    status: 2,
    says: /SITEPUB_USERNAME and SITEPUB_OTHER_USERNAME are the same; give a user of another tenant/,
  },
  {
    name: 'logins that somebody else has used up',
    before: async ({ mock }) => {
      for (let count = 0; count < 10; count++) await logInAt(mock);
    },
    status: 3,
    says: /the login was refused for its rate .*; run again a minute later, or with --max-wait 61s$/,
  },
  {
    name: 'logins that earlier runs have used up',
    environment: ({ folder }) => ({ TMPDIR: folder }),
    before: async ({ mock, folder }) => {
      const ledger = join(folder, `sitepub-${userInfo().username}`);
      const budget = createLoginBudget({ baseUrl: mock.baseUrl, maxWaitMs: 0, folder: ledger });
      for (let count = 0; count < 7; count++) budget.note(String(mock.tenants[0]?.users[0]?.username));
    },
    status: 3,
    says: /earlier runs have made \d+ of the tenant's 10 logins a minute, .*; run again in \d+ s, or with --max-wait \d+s$/,
  },
];

const sites: readonly Mistake[] = [
  {
    name: 'a site that does not exist',
    environment: () => ({ SITEPUB_SITE_ID: '999' }),
    status: 2,
    says: /site 999 was refused to this user, whose sites are 101, 102 .*: check SITEPUB_SITE_ID$/,
  },
  {
    name: 'a site of another tenant',
    environment: () => ({ SITEPUB_SITE_ID: '201', SITEPUB_OTHER_SITE_ID: '202' }),
    status: 2,
    says: /site 201 was refused to this user, .*: check SITEPUB_SITE_ID$/,
  },
  {
    name: 'the same site twice',
    environment: () => ({ SITEPUB_SITE_ID: '201' }),
    status: 2,
    says: /SITEPUB_SITE_ID and SITEPUB_OTHER_SITE_ID are the same; give a site of another tenant/,
  },
  {
    name: 'the name of a site',
    environment: () => ({ SITEPUB_SITE_ID: 'harbour-cafe' }),
    status: 2,
    says: /SITEPUB_SITE_ID is "harbour-cafe"; expected a whole number/,
  },
];

const receivers: readonly Mistake[] = [
  {
    name: 'a receiver address whose name nobody has',
    flags: () => ({ 'receiver-url': 'https://hooks.invalid/sitepub' }),
    status: 2,
    says: /the name hooks\.invalid of the receiver's address is not known, .*; check --receiver-url$/,
  },
  ...ownAddresses().map<Mistake>((address) => ({
    name: `a receiver that listens elsewhere than at ${address}`,
    flags: ({ ports }) => ({ 'receiver-url': `http://${address}:${ports.closed}` }),
    status: 2,
    says: /nobody listens at the receiver's address .*; give --receiver-listen [\d.]+:\d+$/,
  })),
  {
    name: 'a port of the receiver that is taken',
    flags: ({ ports }) => ({ 'receiver-listen': `127.0.0.1:${ports.taken}` }),
    status: 2,
    says: /can't listen on 127\.0\.0\.1:\d+ \(EADDRINUSE\); choose another --receiver-listen$/,
  },
  {
    name: 'a control address of nobody',
    flags: ({ ports }) => ({ 'control-url': `http://127.0.0.1:${ports.closed}/_mock` }),
    status: 2,
    says: /http:\/\/127\.0\.0\.1:\d+\/_mock/,
  },
];

const flags: readonly Mistake[] = [
  {
    name: 'an unknown flag',
    flags: () => ({ 'max-wiat': '10s' }),
    status: 2,
    says: /did you mean --max-wait\?/,
  },
  {
    name: 'a typo in --only',
    flags: () => ({ only: 'HOK-1' }),
    status: 2,
    says: /no requirement, group of requirements or check "HOK-1"; did you mean "HOOK-1"\?/,
  },
  {
    name: 'a typo in --skip',
    flags: () => ({ skip: 'SIGG-4' }),
    status: 2,
    says: /no requirement, group of requirements or check "SIGG-4"; did you mean "SIG-4"\?/,
  },
  {
    name: 'an unknown tier',
    flags: () => ({ suite: 'complete' }),
    status: 2,
    says: /--suite is "complete"; expected smoke, safe, full/,
  },
  {
    name: 'a wrong duration',
    flags: () => ({ 'max-wait': 'long' }),
    status: 2,
    says: /--max-wait is "long"; expected/,
  },
  {
    name: 'an unknown notice',
    flags: () => ({ 'fail-on': 'dirft' }),
    status: 2,
    says: /did you mean "drift"\?/,
  },
  {
    name: 'a folder of the report that is missing',
    flags: () => ({ report: 'json=/nowhere/out.json' }),
    status: 2,
    says: /the folder \/nowhere can't be written \(ENOENT\); create it first/,
  },
  {
    name: 'a folder in place of a report',
    flags: ({ folder }) => ({ report: `json=${folder}` }),
    status: 2,
    says: /is a folder; give the path of a file/,
  },
  {
    name: 'an unknown format',
    flags: () => ({ report: 'xml=out.xml' }),
    status: 2,
    says: /knows no format "xml"; did you mean "html"\?/,
  },
  {
    name: 'expected failures that are missing',
    flags: () => ({ 'expected-failures': '/nowhere/known.yaml' }),
    status: 2,
    says: /\/nowhere\/known\.yaml/,
  },
];

const profileFiles: readonly Mistake[] = [
  {
    name: 'a profile that is missing',
    flags: () => ({ profile: '/nowhere/acme.yaml' }),
    status: 2,
    says: /\/nowhere\/acme\.yaml/,
  },
  { name: 'an unknown profile', flags: () => ({ profile: 'defualt' }), status: 2, says: /defualt/ },
  { name: 'a profile that is no YAML', flags: written('login.token: [\n'), status: 2, says: /acme\.yaml/ },
  {
    name: 'an unknown gap',
    flags: written('login.tokn: /data/token\n'),
    status: 2,
    says: /acme\.yaml:1: unknown gap "login\.tokn"; did you mean "login\.token"\?/,
  },
  {
    name: 'a wrong value of a gap',
    flags: written('login.token: data.token\n'),
    status: 2,
    says: /acme\.yaml:1: .*login\.token/,
  },
  {
    name: 'a token that is elsewhere',
    flags: written('login.token: /data/accessToken\n'),
    status: 2,
    says: /the profile's login\.token \(\/data\/accessToken\) is not in the login answer, \/data\/token looks like it; state login\.token: \/data\/token/,
  },
];

const packaged = [
  'default',
  'always-200-camel-case',
  'documented-only',
  'flags-and-cursors',
  'nested-201-uuid',
];

/** A deployment that offers more than a profile says fits that profile. */
const fits = (told: string, spoken: string) =>
  told === spoken || `${told} ${spoken}` === 'documented-only default';

const profiles: readonly Mistake[] = packaged.flatMap((told) =>
  packaged
    .filter((spoken) => !fits(told, spoken))
    .map((spoken) => ({
      name: `the profile ${told} where ${spoken} is spoken`,
      flags: () => ({ profile: told }),
      spoken,
      status: 2 as const,
      says: /`sitepub discover` write one$/,
    })),
);

const noProfile: Mistake = {
  name: 'no profile where another than the defaults is spoken',
  flags: () => ({ profile: undefined }),
  spoken: 'nested-201-uuid',
  status: 2,
  says: /the default of login\.token \(\/data\/token\) is not in the login answer, \/data\/session\/token\/value looks like it/,
};

export const mistakes: readonly Mistake[] = [
  ...[...addresses, ...credentials, ...sites, ...receivers, ...flags, ...profileFiles],
  ...[...profiles, noProfile],
  ...furtherMistakes,
];

/** The flag --profile with a file of this text. */
function written(text: string): (scene: Scene) => Record<string, string> {
  return ({ folder }) => {
    const path = join(folder, 'acme.yaml');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, text);
    return { profile: path };
  };
}

async function logInAt({ baseUrl, tenants }: StartedMock): Promise<void> {
  await fetch(`${baseUrl}/auth/tenant/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(tenants[0]?.users[0]),
  });
}

/** An address of this machine that others reach it by, if it has one. */
function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  const [own] = all.filter(({ internal, family }) => !internal && family === 'IPv4');
  return own ? [own.address] : [];
}
