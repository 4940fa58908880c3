// A bare pool of undici that posts the same bytes repeatedly.
import { Pool } from 'undici';
import { serve } from '../serve.ts';
import { measureTime } from '../timed.ts';

export interface Posts {
  url: string;
  headers: Record<string, string>;
  body: string;
  count: number;
}

/** As many as the mock sends to one target at a time. */
const concurrency = 16;
const pools = new Map<string, Pool>();

serve({}, { post: (posts) => measureTime(() => post(posts as Posts)) });

async function post(posts: Posts): Promise<void> {
  const { origin } = new URL(posts.url);
  const pool = pools.get(origin) ?? new Pool(origin, { connections: concurrency });
  pools.set(origin, pool);
  const left = { count: posts.count };
  await Promise.all(Array.from({ length: concurrency }, () => postOneByOne(pool, posts, left)));
}

async function postOneByOne(
  pool: Pool,
  { url, headers, body }: Posts,
  left: { count: number },
): Promise<void> {
  const { pathname: path } = new URL(url);
  while (left.count-- > 0) {
    const answer = await pool.request({ path, method: 'POST', headers, body });
    await answer.body.dump();
  }
}
