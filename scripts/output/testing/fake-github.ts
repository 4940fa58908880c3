// GitHub's API of comments, as far as a comment on a pull request needs it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface StoredComment {
  id: number;
  body: string;
  user?: { type: string };
  author_association?: string;
}

/** An answer in place of the usual one: its status, its headers and its body. */
type Refusal = readonly [status: number, headers?: Record<string, string>, body?: string];

export interface FakeGithub extends AsyncDisposable {
  url: string;
  comments: StoredComment[];
  /** "GET /repos/…", of each request. */
  asked: string[];
  tokens: Set<string | undefined>;
  /** What the next requests whose method it is are answered with. */
  refuse: { method: string; refusal: Refusal }[];
}

/** A fake of the pull request 7 of "acme/shop". */
export async function openFakeGithub(comments: StoredComment[] = []): Promise<FakeGithub> {
  const fake: Omit<FakeGithub, 'url' | typeof Symbol.asyncDispose> = {
    comments: [...comments],
    asked: [],
    tokens: new Set(),
    refuse: [],
  };
  const server = createServer((request, response) => answer(fake, request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  return Object.assign(fake, { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close });
}

async function answer(
  fake: Pick<FakeGithub, 'comments' | 'asked' | 'tokens' | 'refuse'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url = '' } = request;
  const sent = await text(request);
  fake.asked.push(`${method} ${url}`);
  fake.tokens.add(request.headers.authorization);
  const [refused] = fake.refuse.filter((one) => one.method === method);
  if (refused) {
    fake.refuse.splice(fake.refuse.indexOf(refused), 1);
    const [status, headers, body] = refused.refusal;
    response.writeHead(status, headers).end(body);
    return;
  }
  const { pathname, searchParams } = new URL(url, 'http://x');
  const say = (status: number, value: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const [size, page] = ['per_page', 'page'].map((name) => Number(searchParams.get(name) ?? 1));
  if (method === 'GET' && pathname === '/repos/acme/shop/issues/7/comments')
    return void say(200, fake.comments.slice(((page ?? 1) - 1) * (size ?? 1), (page ?? 1) * (size ?? 1)));
  const { body } = sent === '' ? { body: '' } : JSON.parse(sent);
  if (String(body).length > 65_536) return void say(422, { message: 'Body is too long' });
  if (method === 'POST' && pathname === '/repos/acme/shop/issues/7/comments') {
    const made = { id: fake.comments.length + 1, body, user: { type: 'Bot' } };
    fake.comments.push(made);
    return void say(201, made);
  }
  const [, id] = /^\/repos\/acme\/shop\/issues\/comments\/(\d+)$/.exec(pathname) ?? [];
  const found = fake.comments.find((one) => one.id === Number(id));
  if (method !== 'PATCH' || !found) return void say(404, { message: 'Not Found' });
  found.body = body;
  say(200, found);
}
