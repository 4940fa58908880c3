import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether a host leads to this machine and no other, by its name alone: as a URL has it, or as one listens on it. No name server is asked for these. */
export function isThisMachine(hostname: string): boolean {
  const name = hostname
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[(.*)\]$/, '$1');
  const family = isIP(name);
  // An IPv4 address within one of IPv6 counts as that.
  if (family > 0) return loopback.check(name, family === 6 ? 'ipv6' : 'ipv4');
  return /^([\w-]+\.)*localhost$/.test(name);
}
