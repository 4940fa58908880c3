import type { FastifyInstance } from 'fastify';

/** A balancer that asks twice a second has learned by then that a mock is not ready. */
const quietMs = 1000;
/** One that does not ask calls on, and is refused then. */
const longestMs = 3000;

/** Each connection ends with its next answer from now on. Returns what tells whether no more calls come. */
export function awaitQuiet(apps: readonly FastifyInstance[]): () => boolean {
  const startedAt = performance.now();
  let calledAt = startedAt;
  for (const { server } of apps)
    server.prependListener('request', ({ url }, response) => {
      response.setHeader('connection', 'close');
      if (!isProbe(url)) calledAt = performance.now();
    });
  return () => performance.now() > Math.min(calledAt + quietMs, startedAt + longestMs);
}

function isProbe(url: string | undefined): boolean {
  return url === '/_mock/ready' || url === '/_mock/live';
}
