// Which proxy the environment names for an address, as curl reads it: HTTPS_PROXY, HTTP_PROXY and NO_PROXY, lower case first.
import { BlockList, isIP } from 'node:net';
import type { Connection } from '../../contract-tests/core/suite-options.ts';
import type { Environment } from './flags.ts';
import { UsageError } from './usage-error.ts';

/** The proxy for an address; undefined where it is called directly. Throws UsageError for a proxy that can't be used. */
export function readProxy(address: string, environment: Environment): Connection['proxy'] | undefined {
  const url = new URL(address);
  const scheme = url.protocol.replace(':', '');
  const variable = pick(`${scheme}_proxy`, environment);
  const text = variable && environment[variable]?.trim();
  if (!variable || !text || isCalledDirectly(url, environment)) return undefined;
  return { url: readProxyUrl(text, variable), variable };
}

/** The name of the variable that is set, in lower case or in capitals. */
function pick(name: string, environment: Environment): string | undefined {
  return [name, name.toUpperCase()].find((one) => environment[one]);
}

/** The address, which may lack its scheme. A message shows no part of it that could be a password. */
function readProxyUrl(text: string, variable: string): string {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (!url?.hostname)
    throw new UsageError(
      `${variable} is not the URL of a proxy; expected for example http://proxy.example.com:3128`,
    );
  if (!/^https?:$/.test(url.protocol))
    throw new UsageError(
      `${variable} names a proxy of ${url.protocol}//, which is not supported; use an http or https proxy, or add the host to NO_PROXY`,
    );
  try {
    decodeURIComponent(`${url.username}:${url.password}`);
  } catch {
    throw new UsageError(`${variable} contains credentials with a bare %; write it as %25`);
  }
  return url.href;
}

/** Whether NO_PROXY names the host: itself or a domain above it, with or without its port; an address, or a network such as 10.0.0.0/8; or * for all. */
function isCalledDirectly(url: URL, environment: Environment): boolean {
  const variable = pick('no_proxy', environment);
  const entries = (variable ? environment[variable] : undefined)?.toLowerCase().split(/[\s,]+/) ?? [];
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '');
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return entries.filter(Boolean).some((entry) => entry === '*' || matches(entry, host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  const [network = '', bits] = entry.split('/');
  if (bits !== undefined) return isWithin(host, network, Number(bits));
  const { name, port: only = port } = splitPort(entry);
  if (only !== port) return false;
  const domain = name.replace(/^\*?\.|\.$/g, '');
  return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`));
}

/** "host:port", "[::1]:port", or either without a port. */
function splitPort(entry: string): { name: string; port?: string } {
  if (isIP(entry) === 6) return { name: entry };
  const [, bracketed, plain = '', port] = /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  return { name: bracketed ?? plain, ...(port !== undefined && { port }) };
}

function isWithin(host: string, network: string, bits: number): boolean {
  const family = isIP(host);
  if (family === 0 || isIP(network) !== family) return false;
  if (!Number.isInteger(bits) || bits < 0 || bits > (family === 4 ? 32 : 128)) return false;
  const name = family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(network, bits, name);
  return list.check(host, name);
}
