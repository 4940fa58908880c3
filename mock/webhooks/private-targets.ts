// Refuses push targets in private networks, as a service on the public Internet has to.
import dns from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** What the registries of special addresses of IANA do not list as globally reachable, and what embeds an IPv4 address. */
const privateNetworks: readonly [string, number, 'ipv4' | 'ipv6'][] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'],
  ['240.0.0.0', 4, 'ipv4'],
  // Unspecified, loopback, and IPv4 addresses in their oldest embedding.
  ['::', 96, 'ipv6'],
  ['::ffff:0:0:0', 96, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['64:ff9b:1::', 48, 'ipv6'],
  ['100::', 64, 'ipv6'],
  ['100:0:0:1::', 64, 'ipv6'],
  // Teredo, benchmarking, ORCHID and others.
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  // 6to4.
  ['2002::', 16, 'ipv6'],
  ['3fff::', 20, 'ipv6'],
  ['5f00::', 16, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['fec0::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];

const refused = new BlockList();
for (const [network, prefix, family] of privateNetworks) refused.addSubnet(network, prefix, family);

/** Whether an address is in a private or otherwise special network. IPv4 addresses mapped to IPv6 count as IPv4. */
function isPrivateAddress(address: string): boolean {
  return refused.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** Whether the host of a URL is visibly private; what its name resolves to is checked when it is called. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return isIP(host) > 0 ? isPrivateAddress(host) : /(^|\.)(localhost|local|internal)$/i.test(host);
}

/** Resolves a name as Node does; fails if any of its addresses is private. */
export const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    if (addresses.some(({ address }) => isPrivateAddress(address)))
      return callback(privateTargetError(hostname), []);
    const [first] = addresses;
    if (options.all || !first) return callback(null, addresses);
    return callback(null, first.address, first.family);
  });
};

/** Throws for a URL whose host is visibly private. */
export function refusePrivateTarget(url: string): void {
  const { hostname } = new URL(url);
  if (isPrivateHost(hostname)) throw privateTargetError(hostname);
}

function privateTargetError(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} is in a private network`), { code: 'EPRIVATE' });
}
