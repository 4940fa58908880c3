// The calls that are generated: what each kind sends, and what is learned from its answer.
export interface Kind {
  weight?: number;
  /** Method and path, of the control API where it begins with /_mock, and the body. */
  call(made: Picks): [line: string, body?: unknown];
  /** The members of an answer that tell what was made. */
  makes?: Partial<Record<'tokens' | 'sites' | 'contents' | 'keys', string>>;
}

/** What is picked by the numbers of a step. */
interface Picks {
  /** From 0 to 3, as they are drawn. */
  a: number;
  b: number;
  site: string;
  /** The same site, as its visitors see it. */
  open: string;
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

export const kinds: Readonly<Record<string, Kind>> = {
  login: {
    weight: 6,
    call({ a }) {
      const [username, password] = users[a] ?? users[0];
      return ['POST /auth/tenant/login', { username, password }];
    },
    makes: { tokens: 'token' },
  },
  refresh: { call: () => ['POST /auth/refresh'], makes: { tokens: 'token' } },
  listSites: { call: () => ['GET /tenant/sites'] },
  createSite: {
    call: ({ b }) => ['POST /tenant/sites', { site_name: `Site ${b}` }],
    makes: { sites: 'site_id' },
  },
  deleteSite: { weight: 1, call: ({ site }) => [`DELETE ${site}`] },
  publish: { weight: 8, call: ({ site, b }) => [`POST ${site}/publish`, { note: `note ${b}` }] },
  failPublish: { call: ({ site, b }) => [`POST ${site}/publish-failing`, { note: `${b}` }] },
  askAi: { call: ({ site, b }) => [`POST ${site}/ai`, { prompt: `${b}` }] },
  createContent: {
    call: ({ site, b }) => [`POST ${site}/contents`, { title: `Title ${b}`, text: 'x' }],
    makes: { contents: 'content_id' },
  },
  publishContent: { call: ({ content }) => [`POST ${content}/publish`] },
  updateContent: { call: ({ content, a }) => [`PUT ${content}`, { title: `${a}`, text: 'y' }] },
  deleteContent: { call: ({ content }) => [`DELETE ${content}`] },
  submitForm: { call: ({ open, b }) => [`POST ${open}/forms/f/submissions`, { fields: { b } }] },
  createComment: { call: ({ open, b }) => [`POST ${open}/comments`, { author: 'Ana', text: `${b}` }] },
  createKey: {
    call: ({ b }) => ['POST /tenant/keys', { name: `Key ${b}` }],
    makes: { keys: 'key_id', tokens: 'key' },
  },
  listKeys: { call: () => ['GET /tenant/keys'] },
  deleteKey: { weight: 1, call: ({ key }) => [`DELETE /tenant/keys/${key}`] },
  subscribe: {
    weight: 6,
    call({ site, a, b, receiver }) {
      const url = `${receiver}/${b % 2 ? 'well' : 'ill'}/${a}`;
      return [`POST ${site}/webhooks`, { url, events: events.slice(0, a + 1), channel: 'custom' }];
    },
  },
  listSubscriptions: { call: ({ site }) => [`GET ${site}/webhooks`] },
  testSubscription: { call: ({ subscription }) => [`POST ${subscription}/test`] },
  unsubscribe: { call: ({ subscription }) => [`DELETE ${subscription}`] },
  listAttempts: { call: ({ subscription }) => [`GET ${subscription}/deliveries`] },
  moveClock: { weight: 8, call: ({ a }) => ['POST /_mock/clock', { advance: advances[a] }] },
  causeEvent: { call: ({ a, b }) => ['POST /_mock/events', { event: events[a], site_id: 101 + b }] },
  redeliver: { call: ({ a }) => [`POST /_mock/deliveries/${a + 1}/redeliver`] },
  giveUp: { call: ({ a }) => [`POST /_mock/deliveries/${a + 1}/give-up`] },
  expireTokens: { call: ({ a }) => ['POST /_mock/tokens/expire', a ? { username: users[a]?.[0] } : {}] },
  clearLimits: { call: () => ['DELETE /_mock/limits'] },
  override: {
    call({ a, b }) {
      const operation = ['listSites', 'publishSite', 'login', 'createKey'][a];
      const answer = b % 2 ? { status: 503 } : { code: 42901 };
      return ['POST /_mock/overrides', { operation, ...answer, times: 1 + (b >> 1) }];
    },
  },
  prepareInbox: { call: ({ b }) => ['PUT /_mock/inbox/ci', { respond: [500 + b, 200] }] },
  message: { call: ({ b }) => ['POST /_mock/inbox/ci', { message: b }] },
  listMessages: { call: () => ['GET /_mock/inbox/ci/messages'] },
  overview: { call: () => ['GET /_mock/overview'] },
  deliveries: { call: () => ['GET /_mock/deliveries'] },
  requests: { call: () => ['GET /_mock/requests'] },
  clearRequests: { call: () => ['DELETE /_mock/requests'] },
  reset: { call: ({ a }) => ['POST /_mock/reset', a === 0 ? {} : { tenant: 1 + (a % 2) }] },
  save: { call: () => ['GET /_mock/world'] },
  restore: {
    call: ({ saved }) =>
      saved === undefined ? ['GET /_mock/clock'] : ['PUT /_mock/world', JSON.parse(saved)],
  },
};
