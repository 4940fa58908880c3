import { expect, test } from 'vitest';
import { isPrivateHost } from './private-targets.ts';

const privateHosts = `127.0.0.1 10.1.2.3 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 [::1] [fe80::1]
  [fd00::1] [::ffff:10.0.0.1] [::ffff:a00:1] [::2] [::8.8.8.8] [::ffff:0:10.0.0.1] [::ffff:0:808:808] [64:ff9b::a00:1]
  [64:ff9b:1::1] [64:ff9b:1:ffff:ffff:ffff:ffff:ffff] [100::1] [100:0:0:1::1] [2001::1] [2001:1ff:ffff::1]
  [2001:db8::1] [2002:a00:1::1] [3fff::1] [3fff:fff:ffff::1] [5f00::1] [fec0::1] [feff::1] [ff02::1] localhost LOCALHOST.
  app.localhost printer.local metadata.google.internal`;

const publicHosts = `172.32.0.1 8.8.8.8 [::ffff:8.8.8.8] [::1:0:0:1] [64:ff9b:2::1] [2001:200::1] [2001:4860:4860::8888]
  [2003::1] [3fff:1000::1] [5eff::1] [5f01::1] [fe7f::1] [2606:4700::1111] hooks.example localhost.example`;

test.each([
  ...privateHosts.split(/\s+/).map((host) => [host, true] as const),
  ...publicHosts.split(/\s+/).map((host) => [host, false] as const),
])('judges whether %s is private: %s', (host, want) => {
  expect(isPrivateHost(host)).toBe(want);
});
