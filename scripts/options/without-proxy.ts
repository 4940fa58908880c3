import type { Environment } from './flags.ts';

const thisMachine = ['localhost', '127.0.0.1', '::1'];

/** The variables that keep clients from asking a proxy for what is on this machine, at a URL too; what they name already stays. */
export function withoutProxy(
  url: string,
  { NO_PROXY: upper = '', no_proxy: lower = '' }: Environment = process.env,
): Record<string, string> {
  const hosts = [...thisMachine, new URL(url).hostname.replace(/^\[|\]$/g, '')];
  const extend = (given: string) => {
    const named = given.split(/[\s,]+/).filter(Boolean);
    return named.includes('*') ? given : [...new Set([...named, ...hosts])].join(',');
  };
  return { NO_PROXY: extend(upper || lower), no_proxy: extend(lower || upper) };
}
