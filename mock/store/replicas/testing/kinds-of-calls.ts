// The calls that are generated: what each kind sends, and what is learned from its answer.
import { basePath } from '../../../http/paths.ts';
import type { Call } from './called-mock.ts';

interface Kind {
  weight?: number;
  call(made: Picks): Call;
  /** The members of an answer that tell what was made. */
  makes?: Partial<Record<'tokens' | 'sites' | 'contents' | 'keys', string>>;
}

/** What is picked by the numbers of a step. */
interface Picks {
  /** From 0 to 3, as they are drawn. */
  a: number;
  b: number;
  token: string;
  site: string;
  content: string;
  subscription: string;
  key: number;
  saved: string | undefined;
  receiver: string;
}

const users = [
  ['mei@harbour-cafe.example', 'demo-password-mei'],
  ['tom@harbour-cafe.example', 'demo-password-tom'],
  ['zoe@blumenladen.example', 'demo-password-zoe'],
  ['zoe@blumenladen.example', 'wrong'],
] as const;
export const apiKey = 'sp_JMkq2hCqpCu02ytOHhp3ro8YOKEyauBT';
const advances = ['PT1S', 'PT1M', 'PT6M', 'PT3H'] as const;
const events = ['publish.complete', 'publish.failed', 'content.publish', 'comment.created'] as const;

const service = (
  method: Call['method'],
  path: string,
  { token, body }: { token?: string; body?: unknown } = {},
): Call => ({ method, path: basePath + path, token, body });
const control = (method: Call['method'], path: string, body?: unknown): Call => ({
  method,
  path: `/_mock${path}`,
  body,
});

export const kinds: Readonly<Record<string, Kind>> = {
  login: {
    weight: 6,
    call: ({ a }) => {
      const [username, password] = users[a] ?? users[0];
      return service('POST', '/auth/tenant/login', { body: { username, password } });
    },
    makes: { tokens: 'token' },
  },
  refresh: {
    call: ({ token }) => service('POST', '/auth/refresh', { token }),
    makes: { tokens: 'token' },
  },
  listSites: { call: ({ token }) => service('GET', '/tenant/sites', { token }) },
  createSite: {
    call: ({ token, b }) => service('POST', '/tenant/sites', { token, body: { site_name: `Site ${b}` } }),
    makes: { sites: 'site_id' },
  },
  deleteSite: { weight: 1, call: ({ token, site }) => service('DELETE', site, { token }) },
  publish: {
    weight: 8,
    call: ({ token, site, b }) => service('POST', `${site}/publish`, { token, body: { note: `note ${b}` } }),
  },
  failPublish: {
    call: ({ token, site, b }) =>
      service('POST', `${site}/publish-failing`, { token, body: { note: `${b}` } }),
  },
  askAi: { call: ({ token, site, b }) => service('POST', `${site}/ai`, { token, body: { prompt: `${b}` } }) },
  createContent: {
    call: ({ token, site, b }) =>
      service('POST', `${site}/contents`, { token, body: { title: `Title ${b}`, text: 'x' } }),
    makes: { contents: 'content_id' },
  },
  publishContent: { call: ({ token, content }) => service('POST', `${content}/publish`, { token }) },
  updateContent: {
    call: ({ token, content, a }) => service('PUT', content, { token, body: { title: `${a}`, text: 'y' } }),
  },
  deleteContent: { call: ({ token, content }) => service('DELETE', content, { token }) },
  submitForm: {
    call: ({ site, b }) =>
      service('POST', `${site.replace('/tenant', '')}/forms/f/submissions`, { body: { fields: { b } } }),
  },
  createComment: {
    call: ({ site, b }) =>
      service('POST', `${site.replace('/tenant', '')}/comments`, { body: { author: 'Ana', text: `${b}` } }),
  },
  createKey: {
    call: ({ token, b }) => service('POST', '/tenant/keys', { token, body: { name: `Key ${b}` } }),
    makes: { keys: 'key_id', tokens: 'key' },
  },
  listKeys: { call: ({ token }) => service('GET', '/tenant/keys', { token }) },
  deleteKey: { weight: 1, call: ({ token, key }) => service('DELETE', `/tenant/keys/${key}`, { token }) },
  subscribe: {
    weight: 6,
    call: ({ token, site, a, b, receiver }) =>
      service('POST', `${site}/webhooks`, {
        token,
        body: {
          url: `${receiver}/${b % 2 ? 'well' : 'ill'}/${a}`,
          events: events.slice(0, a + 1),
          channel: 'custom',
        },
      }),
  },
  listSubscriptions: { call: ({ token, site }) => service('GET', `${site}/webhooks`, { token }) },
  testSubscription: { call: ({ token, subscription }) => service('POST', `${subscription}/test`, { token }) },
  unsubscribe: { call: ({ token, subscription }) => service('DELETE', subscription, { token }) },
  listAttempts: {
    call: ({ token, subscription }) => service('GET', `${subscription}/deliveries`, { token }),
  },
  moveClock: { weight: 8, call: ({ a }) => control('POST', '/clock', { advance: advances[a] }) },
  causeEvent: { call: ({ a, b }) => control('POST', '/events', { event: events[a], site_id: 101 + b }) },
  redeliver: { call: ({ a }) => control('POST', `/deliveries/${a + 1}/redeliver`) },
  giveUp: { call: ({ a }) => control('POST', `/deliveries/${a + 1}/give-up`) },
  expireTokens: { call: ({ a }) => control('POST', '/tokens/expire', a ? { username: users[a]?.[0] } : {}) },
  clearLimits: { call: () => control('DELETE', '/limits') },
  override: {
    call: ({ a, b }) =>
      control('POST', '/overrides', {
        operation: ['listSites', 'publishSite', 'login', 'createKey'][a],
        ...(b % 2 ? { status: 503 } : { code: 42901 }),
        times: 1 + (b >> 1),
      }),
  },
  prepareInbox: { call: ({ b }) => control('PUT', '/inbox/ci', { respond: [500 + b, 200] }) },
  message: { call: ({ b }) => control('POST', '/inbox/ci', { message: b }) },
  listMessages: { call: () => control('GET', '/inbox/ci/messages') },
  overview: { call: () => control('GET', '/overview') },
  deliveries: { call: () => control('GET', '/deliveries') },
  requests: { call: () => control('GET', '/requests') },
  clearRequests: { call: () => control('DELETE', '/requests') },
  reset: { call: ({ a }) => control('POST', '/reset', a === 0 ? {} : { tenant: 1 + (a % 2) }) },
  save: { call: () => control('GET', '/world') },
  restore: {
    call: ({ saved }) =>
      saved === undefined ? control('GET', '/clock') : control('PUT', '/world', JSON.parse(saved)),
  },
};
