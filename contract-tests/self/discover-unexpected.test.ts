// @module-tag nightly
// Servers that do not speak this interface: discovery explains each one, without a stack trace.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { makeFolder } from '../../mock/testing/started-mock.ts';
import { parseProfile } from '../../openapi/profile.ts';
import { type Discovery, discover } from '../discover/discover.ts';
import { listenTo } from '../testing.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const json = (status: number, body: unknown): Answer => {
  return (_request, response) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
};
const text = (status: number, body: string, headers: Record<string, string> = {}): Answer => {
  return (_request, response) => response.writeHead(status, headers).end(body);
};
const refusal = (code: number, message: string) => ({ code, message, trace_id: 't1' });
const session = { code: 0, message: 'success', data: { token: 'tok_0123456789abcdef' }, trace_id: 't2' };

/** Selects by the end of the path; refuses other paths. */
const by = (answers: Record<string, Answer>): Answer => {
  return (request, response) => {
    const end = Object.keys(answers).find((key) => request.url?.endsWith(key)) ?? '';
    (answers[end] ?? json(401, refusal(401, 'no token')))(request, response);
  };
};

const html = { 'Content-Type': 'text/html' };

test.for<[what: string, answer: Answer, sentence: RegExp, kind?: string]>([
  ['an HTML page', text(200, '<!doctype html><html></html>', html), /HTML page/],
  ['a redirect', text(302, '', { Location: 'https://sso.example.com/' }), /redirect to https:\/\/sso/],
  ['HTTP 500', text(500, 'Internal Server Error'), /HTTP 500: the service/],
  ['an empty body', text(200, ''), /empty body/],
  ['another form', json(200, { token: 'abc' }), /without the envelope/],
  ['a rate limit in front', text(429, 'slow down', { 'Retry-After': '60' }), /a gateway limits calls/],
  ['a rate limit from the start', json(429, refusal(429, 'too many requests')), /10 logins a minute/],
  ['wrong credentials', json(401, refusal(401, 'wrong password')), /check SITEPUB_USERNAME/, 'credentials'],
  ['a login that fails', by({ login: json(500, refusal(500, 'oops')) }), /answers the login with HTTP 500/],
  ['a closed connection', (request) => void request.socket.destroy(), /got no answer/, 'unreachable'],
])('explains %s', async ([, answer, sentence, kind = 'unexpected']) => {
  const { stopped, found, leftovers, hasSession } = await discoverServer(answer);
  expect(stopped?.kind).toBe(kind);
  expect(stopped?.reason).toMatch(sentence);
  expect(found.filter((id) => !id.startsWith('errors.'))).toEqual([]);
  expect({ leftovers, hasSession }).toEqual({ leftovers: [], hasSession: false });
});

test('sends no credentials to a server without the envelope', async () => {
  const bodies: string[] = [];
  await discoverServer((request, response) => {
    request.on('data', (chunk) => bodies.push(String(chunk)));
    response.end('<html>');
  });
  expect(bodies.join()).not.toContain('a-password');
});

test('writes its findings up to the first unexpected answers, with reasons', async () => {
  const { profile, found, stopped } = await discoverServer(
    by({ login: json(200, session), refresh: renewal, webhooks: text(503, '<html>down</html>') }),
  );
  expect(stopped).toBeUndefined();
  expect(found).toEqual(expect.arrayContaining(['login.token', 'login.status', 'refresh.token']));
  expect(profile).toMatch(/# subscription.request.url: url {2}# not found: .*with an HTML page/);
});

test('finds no token if the login answer has none', async () => {
  const { profile } = await discoverServer(by({ login: json(200, { ...session, data: { user: 'mei' } }) }));
  expect(profile).toMatch(/# login.token: \/data\/token {2}# not found: the login answer contains no text/);
});

function renewal(request: IncomingMessage, response: ServerResponse): void {
  const isKnown = request.headers.authorization === 'Bearer tok_0123456789abcdef';
  (isKnown ? json(200, session) : json(401, refusal(401, 'no token')))(request, response);
}

async function discoverServer(answer: Answer): Promise<Discovery> {
  await using server = await listenTo(
    createServer((request, response) => {
      answer(request, response);
      request.resume();
    }),
  );
  const discovery = await discover({
    baseUrl: `${server.origin}/api/v1`,
    account: { username: 'mei', password: 'a-password' },
    siteId: 101,
    given: {},
    maxWaitMs: 0,
    receiver: {},
    arrivalMs: 200,
    folder: makeFolder(),
    mayCreate: async () => true,
  });
  parseProfile(discovery.profile, 'the profile that was found');
  return discovery;
}
