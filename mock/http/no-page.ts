// Somebody else words some answers of the mock, and the console stands on the same origin: none of them may be a page of it.

/** A browser runs nothing of an answer with these, and takes it for nothing else than what it says. */
export const noPage = {
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
} as const;

/** What these set, they set for every answer of the origin. */
const forTheOrigin: ReadonlySet<string> = new Set([
  'alt-svc',
  'clear-site-data',
  'nel',
  'report-to',
  'service-worker-allowed',
  'set-cookie',
  'strict-transport-security',
]);

/** Headers that somebody else has worded, as they may be sent. The server itself says how long the answer is. */
export function asNoPage(headers: Readonly<Record<string, string>>): Record<string, string> {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const sent = own.filter(([name]) => !forTheOrigin.has(name) && !framing.test(name));
  return { ...Object.fromEntries(sent), ...noPage };
}

const framing = /^(content-length|transfer-encoding|connection|keep-alive|trailer|upgrade)$/;
