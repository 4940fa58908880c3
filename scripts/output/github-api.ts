// The little of GitHub's API that a comment on a pull request needs: https://docs.github.com/rest/issues/comments
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../../openapi/json.ts';

/** What GitHub refused, or did not answer. The message says so in a sentence, without the token. */
export class GithubError extends Error {}

/** A job's way to the API, and the pull request that it is about. */
export interface PullRequest {
  apiUrl: string;
  /** "owner/name". */
  repository: string;
  number: number;
  token: string;
}

interface GithubComment {
  id: number;
  body: string;
  /** Whether it may be ours: a program wrote it, or somebody who may write to the repository. */
  isTrusted: boolean;
}

/** How long GitHub is waited for, in milliseconds. */
export interface Patience {
  answerMs: number;
  /** The longest wait that GitHub may ask for, before a request is sent again. */
  retryMs: number;
  /** Between attempts, where GitHub does not say how long to wait. */
  pauseMs: number;
}

const usual: Patience = { answerMs: 15_000, retryMs: 60_000, pauseMs: 2_000 };

const mostAttempts = 3;
const mostPages = 100;
const pageSize = 100;

export interface GithubApi {
  /** All comments of the pull request, the oldest first. */
  comments(): Promise<GithubComment[]>;
  create(body: string): Promise<void>;
  update(id: number, body: string): Promise<void>;
}

/** Each call throws GithubError. */
export function openGithubApi(
  { apiUrl, repository, number, token }: PullRequest,
  patience: Patience = usual,
): GithubApi {
  const issues = `${apiUrl.replace(/\/+$/, '')}/repos/${repository}/issues`;
  const ask = (method: string, url: string, body?: string) =>
    insist({ method, url, token, ...(body !== undefined && { body: JSON.stringify({ body }) }) }, patience);
  return {
    comments: async () => {
      const all: GithubComment[] = [];
      for (let page = 1; page <= mostPages; page++) {
        const found = await ask('GET', `${issues}/${number}/comments?per_page=${pageSize}&page=${page}`);
        if (!Array.isArray(found)) throw new GithubError('the list of comments is no list');
        all.push(...found.flatMap(readComment));
        if (found.length < pageSize) break;
      }
      return all;
    },
    create: async (body) => void (await ask('POST', `${issues}/${number}/comments`, body)),
    update: async (id, body) => void (await ask('PATCH', `${issues}/comments/${id}`, body)),
  };
}

interface Request {
  method: string;
  url: string;
  token: string;
  body?: string;
}

const writers = ['OWNER', 'MEMBER', 'COLLABORATOR'];

function readComment(value: unknown): GithubComment[] {
  if (!isObject(value) || typeof value.id !== 'number' || typeof value.body !== 'string') return [];
  const isProgram = isObject(value.user) && value.user.type === 'Bot';
  return [
    {
      id: value.id,
      body: value.body,
      isTrusted: isProgram || writers.includes(String(value.author_association)),
    },
  ];
}

/** Sends a request until it is answered, as often as is sensible; returns the JSON of the answer. */
async function insist(request: Request, patience: Patience): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const response = await send(request, patience);
    if (response.ok) return readJson(response);
    const waitMs = waitBefore(request, response, patience);
    await response.body?.cancel();
    if (waitMs === undefined || waitMs > patience.retryMs || attempt === mostAttempts)
      throw new GithubError(explain(request, response, waitMs));
    await sleep(waitMs);
  }
}

async function send({ method, url, token, body }: Request, { answerMs }: Patience): Promise<Response> {
  try {
    return await fetch(url, {
      method,
      headers: {
        Accept: 'application/vnd.github+json',
        Authorization: `Bearer ${token}`,
        'User-Agent': 'sitepub',
        'X-GitHub-Api-Version': '2022-11-28',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      signal: AbortSignal.timeout(answerMs),
      ...(body !== undefined && { body }),
    });
  } catch (error) {
    throw new GithubError(`GitHub can't be reached: ${sayCause(error)}`);
  }
}

function sayCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? cause.message : error.message;
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    throw new GithubError(`the answer of GitHub can't be read: ${sayCause(error)}`);
  }
}

/** How long to wait before a refused request is sent again, in milliseconds; undefined where that makes no sense. */
function waitBefore(
  { method }: Request,
  { status, headers }: Response,
  { pauseMs }: Patience,
): number | undefined {
  const isUsedUp = headers.get('x-ratelimit-remaining') === '0';
  const after = headers.get('retry-after');
  // A request beyond a rate limit was not carried out, whatever it is.
  if (status === 429 || (status === 403 && (after !== null || isUsedUp))) {
    if (after !== null && /^\d+$/.test(after)) return Number(after) * 1_000;
    const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN);
    return isUsedUp && reset > 0 ? Math.max(0, reset * 1_000 - Date.now()) : pauseMs;
  }
  // What a comment was made by may have been carried out, and a second comment would be worse than none.
  return status >= 500 && method !== 'POST' ? pauseMs : undefined;
}

const hints: Readonly<Record<number, string>> = {
  401: 'the token is not accepted',
  403: 'the token may not write comments; pull requests from forks never may, others need `permissions: pull-requests: write`',
  404: 'there is no such pull request or comment, or the token may not see it',
  410: 'comments are switched off, or this one was deleted',
  422: 'the comment is not taken, perhaps because the conversation is locked',
};

function explain({ method, url }: Request, { status }: Response, waitMs: number | undefined): string {
  const hint =
    waitMs === undefined
      ? hints[status]
      : status >= 500
        ? 'GitHub has a fault'
        : `too many requests; GitHub asks to wait ${Math.ceil(waitMs / 1_000)} s`;
  return `${method} ${new URL(url).pathname} was answered with HTTP ${status}${hint === undefined ? '' : `: ${hint}`}`;
}
