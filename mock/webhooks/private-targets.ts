// A service on the public Internet must not push into private networks.
import dns from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Networks that IANA's registries of special addresses don't list as globally reachable, and prefixes that embed IPv4. */
const privateNetworks = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Unspecified, loopback and IPv4-compatible; IPv4-translated; NAT64 (two); 6to4.
  ...['::/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16'],
  // 2001::/23 has Teredo, benchmarking, ORCHID and others.
  ...['100::/64', '100:0:0:1::/64', '2001::/23', '2001:db8::/32', '3fff::/20', '5f00::/16'],
  ...['fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
];

const refused = new BlockList();
for (const network of privateNetworks) {
  const [address = '', prefix] = network.split('/');
  refused.addSubnet(address, Number(prefix), familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** BlockList checks an IPv4-mapped IPv6 address as IPv4. */
function isPrivateAddress(address: string): boolean {
  return refused.check(address, familyOf(address));
}

/** Judges the hostname only; lookUpPublic judges the addresses it resolves to. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return isIP(host) > 0 ? isPrivateAddress(host) : /(^|\.)(localhost|local|internal)$/i.test(host);
}

/** Fails if any address of the name is private. */
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

export function privateTargetError(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} is in a private network`), { code: 'EPRIVATE' });
}
