// Mistakes as new users of a pipeline make them: secrets, addresses behind something else, and flags that came from a variable.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mistake, PlaceName, Scene } from './mistake.ts';

const base = (url: string) => ({ 'base-url': url });
const at = (place: PlaceName) => ({
  flags: ({ ports }: Scene) => base(`http://127.0.0.1:${ports[place]}/api/v1`),
});

const meant = /did you mean http:\/\/127\.0\.0\.1:\d+\/api\/v1\?$/;

const addresses: readonly Mistake[] = [
  {
    name: 'a base address with the beginning of the version',
    flags: ({ mock }) => base(mock.baseUrl.replace('/v1', '')),
    status: 2,
    says: meant,
  },
  {
    name: 'a base address with a query',
    flags: ({ mock }) => base(`${mock.baseUrl}?tenant=harbour`),
    status: 2,
    says: /--base-url .*(query|\?)/,
  },
  {
    name: 'a base address with credentials in it',
    flags: ({ mock }) => base(mock.baseUrl.replace('http://', 'http://mei:secret@')),
    status: 2,
    says: /--base-url is "http:\/\/…@127\.0\.0\.1:\d+\/api\/v1"; it takes no query, fragment or credentials/,
  },
  {
    name: 'a base address with a space behind it and no scheme',
    flags: ({ mock }) => base(`${mock.baseUrl.replace('http://', '')} `),
    status: 2,
    says: /--base-url .* http/,
  },
  {
    name: 'a name for one network only',
    flags: () => base('https://sitepub.staging.internal/api/v1'),
    status: 3,
    says: /its name (is not known|could not be looked up) .*; check --base-url/,
  },
  {
    name: 'a page that says no to all',
    ...at('firewall'),
    status: 3,
    says: /something before it refuses this machine: .*--header$/,
  },
  {
    name: 'a gateway that wants a password',
    ...at('basic'),
    status: 3,
    says: /asks for credentials of its own: send them with --header$/,
  },
  {
    name: 'a service under maintenance',
    ...at('maintenance'),
    status: 3,
    says: /a gateway answered in its place .*; check --base-url, and whether the service is up$/,
  },
  {
    name: 'a hotel that wants a room number',
    ...at('portal'),
    status: 3,
    says: /it leads to https:\/\/login\.hotel\.example\/welcome: give --base-url of that place$/,
  },
  {
    name: 'a gateway that has had enough',
    ...at('busy'),
    status: 3,
    says: /the login was refused for its rate .*run again a minute later/,
  },
  {
    name: 'a proxy that is no longer there',
    environment: ({ ports }) => ({
      HTTP_PROXY: `http://127.0.0.1:${ports.closed}`,
      NO_PROXY: '',
      no_proxy: '',
    }),
    status: 3,
    says: /proxy/i,
  },
  {
    name: 'a proxy without a scheme',
    environment: ({ ports }) => ({ HTTP_PROXY: `127.0.0.1:${ports.closed}`, NO_PROXY: '', no_proxy: '' }),
    status: 3,
    says: /proxy/i,
  },
];

const credentials: readonly Mistake[] = [
  {
    name: 'a password with the quotes of a shell',
    environment: ({ mock }) => ({ SITEPUB_PASSWORD: `"${mock.tenants[0]?.users[0]?.password}"` }),
    status: 2,
    says: /check SITEPUB_USERNAME and SITEPUB_PASSWORD/,
  },
  {
    name: 'a password with a line end',
    environment: ({ mock }) => ({ SITEPUB_PASSWORD: `${mock.tenants[0]?.users[0]?.password}\n` }),
    status: 2,
    says: /check SITEPUB_USERNAME and SITEPUB_PASSWORD; the password begins or ends with a space or a line end$/,
  },
  {
    name: 'the name of a variable for a password',
    environment: () => ({ SITEPUB_PASSWORD: '$SITEPUB_PASSWORD' }),
    status: 2,
    says: /check SITEPUB_USERNAME and SITEPUB_PASSWORD/,
  },
  {
    name: 'the display name for a user',
    environment: () => ({ SITEPUB_USERNAME: 'Mei Lin' }),
    status: 2,
    says: /the login of Mei Lin was refused .*; check SITEPUB_USERNAME and SITEPUB_PASSWORD$/,
  },
  {
    name: 'an API key with a line end',
    environment: ({ mock }) => ({ SITEPUB_API_KEY: `${mock.tenants[0]?.apiKey}\n` }),
    status: 2,
    says: /SITEPUB_API_KEY has a space or a line end in it; set it to the key alone/,
  },
  {
    name: 'an API key with Bearer before it',
    environment: ({ mock }) => ({ SITEPUB_API_KEY: `Bearer ${mock.tenants[0]?.apiKey}` }),
    status: 2,
    says: /SITEPUB_API_KEY has a space or a line end in it; set it to the key alone/,
  },
  {
    name: 'the masked form of an API key',
    environment: () => ({ SITEPUB_API_KEY: 'sp_ab12****' }),
    status: 2,
    says: /the API key is refused everywhere .*; check SITEPUB_API_KEY, or leave it out$/,
  },
  {
    name: 'an empty file of a secret',
    environment: ({ folder }) => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'password'), '\n');
      return { SITEPUB_PASSWORD: '', SITEPUB_PASSWORD_FILE: join(folder, 'password') };
    },
    status: 2,
    says: /SITEPUB_PASSWORD/,
  },
  {
    name: 'a site of the other tenant that is the own one',
    environment: ({ mock }) => ({ SITEPUB_OTHER_SITE_ID: String(mock.tenants[0]?.sites[0]?.id) }),
    status: 2,
    says: /SITEPUB_SITE_ID and SITEPUB_OTHER_SITE_ID are the same/,
  },
];

const flags: readonly Mistake[] = [
  { name: 'a negative wait', flags: () => ({ 'max-wait': '-5s' }), status: 2, says: /--max-wait/ },
  { name: 'an empty --only', flags: () => ({ only: '' }), status: 2, says: /--only/ },
  {
    name: 'a requirement with a letter too many',
    flags: () => ({ only: 'HOOKS-1' }),
    status: 2,
    says: /did you mean "HOOK-1"\?/,
  },
  {
    name: 'a receiver address without a scheme',
    flags: () => ({ 'receiver-url': 'hooks.example.com' }),
    status: 2,
    says: /--receiver-url .*http/,
  },
  {
    name: 'a receiver port without a number',
    flags: () => ({ 'receiver-listen': '127.0.0.1:abc' }),
    status: 2,
    says: /--receiver-listen is "127\.0\.0\.1:abc"; expected a port, or a host and a port/,
  },
  {
    name: 'a baseline that is missing',
    flags: () => ({ baseline: '/nowhere/report.json' }),
    status: 2,
    says: /\/nowhere\/report\.json/,
  },
  {
    name: 'a demand that nothing has',
    flags: () => ({ require: 'HOK' }),
    status: 2,
    says: /did you mean "HOOK/,
  },
  {
    name: 'a number of verified that is none',
    flags: () => ({ 'min-verified': 'most' }),
    status: 2,
    says: /--min-verified/,
  },
  {
    name: 'a report in place of a profile',
    flags: ({ folder }) => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'report.yaml'), '{"requirements": [], "summary": {}}');
      return { profile: join(folder, 'report.yaml') };
    },
    status: 2,
    says: /report\.yaml:1: unknown gap "summary"/,
  },
];

export const furtherMistakes: readonly Mistake[] = [...addresses, ...credentials, ...flags];
