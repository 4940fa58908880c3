import { isIPv4 } from 'node:net';

/** The 4 or 16 bytes of an IP address, without its zone. */
export function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [own = ''] = address.split('%');
  const [head = '', tail] = own.split('::');
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')];
  const missing = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<number>(missing).fill(0), ...after];
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

/** The last may be written as IPv4. */
function groupsOf(text: string): number[] {
  return text
    .split(':')
    .filter(Boolean)
    .flatMap((part) => {
      if (!part.includes('.')) return [Number.parseInt(part, 16)];
      const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
      return [a * 256 + b, c * 256 + d];
    });
}
