import { isIPv4 } from 'node:net';

/** The 4 or 16 bytes of an IP address, without its zone. */
export function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  // The URL parser turns an IPv4 ending (::ffff:1.2.3.4) into two hexadecimal groups.
  const { hostname } = new URL(`http://[${address.replace(/%.*/, '')}]`);
  const [before = [], after = []] = hostname.slice(1, -1).split('::').map(groupsOf);
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  const digits = [...before, ...zeros, ...after].map((group) => group.padStart(4, '0'));
  return Buffer.from(digits.join(''), 'hex');
}

function groupsOf(text: string): string[] {
  return text.split(':').filter(Boolean);
}
