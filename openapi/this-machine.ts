import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Decides by the name only, without a name server. */
export function isThisMachine(hostname: string): boolean {
  const name = hostname
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[(.*)\]$/, '$1');
  const family = isIP(name);
  // BlockList checks an IPv4-mapped IPv6 address as IPv4.
  if (family > 0) return loopback.check(name, family === 6 ? 'ipv6' : 'ipv4');
  return /^([\w-]+\.)*localhost$/.test(name);
}
