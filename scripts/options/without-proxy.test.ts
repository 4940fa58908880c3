import { expect, test } from 'vitest';
import { withoutProxy } from './without-proxy.ts';

const own = 'localhost,127.0.0.1,::1';

test.for([
  ['http://127.0.0.1:4010/api/v1', {}, own, own],
  ['http://[::1]:4010/api/v1', { NO_PROXY: '' }, own, own],
  ['http://127.0.0.1:1', { NO_PROXY: 'corp.example' }, `corp.example,${own}`, `corp.example,${own}`],
  ['http://127.0.0.1:1', { no_proxy: '.a, b' }, `.a,b,${own}`, `.a,b,${own}`],
  ['http://127.0.0.1:1', { NO_PROXY: 'a', no_proxy: 'b localhost' }, `a,${own}`, 'b,localhost,127.0.0.1,::1'],
  ['http://127.0.0.1:1', { NO_PROXY: '*' }, '*', '*'],
  ['http://192.168.1.5:1', {}, `${own},192.168.1.5`, `${own},192.168.1.5`],
  ['http://127.0.0.2:1', {}, `${own},127.0.0.2`, `${own},127.0.0.2`],
] as const)('%s with %j', ([url, environment, upper, lower]) => {
  expect(withoutProxy(url, environment)).toEqual({ NO_PROXY: upper, no_proxy: lower });
});
