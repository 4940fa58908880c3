import { hostname, networkInterfaces } from 'node:os';

/** The loopback names, the address listened on (or all of this machine), and `hostNames`. */
export function serverNames(host: string, hostNames: readonly string[]): string[] {
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const addresses = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => address),
  );
  const reached = isEverywhere ? [hostname(), ...addresses] : [host];
  const names = ['localhost', '127.0.0.1', '::1', ...reached, ...hostNames];
  return [...new Set(names.map((name) => name.replace(/%.*/, '')))];
}
