import { expect, test } from 'vitest';
import { openControl } from '../testing/open-control.ts';
import { readTarget } from './control-contract.ts';
import { listOf } from './show/show.ts';

const call = (...segments: string[]) => ({ kind: 'call', segments });
const message = (name: string, path: string) => ({ kind: 'message', name, path });

test.each([
  ['GET', '/_mock/world', call('_mock', 'world')],
  ['GET', '/%5fmock/world?x=/_mock/inbox/a', call('_mock', 'world')],
  ['GET', 'http://mock.example/_mock/world', call('_mock', 'world')],
  ['GET', '/_mock/world#/_mock/inbox/a', call('_mock', 'world')],
  ['GET', '/_mock/../_mock/world', call('_mock', '..', '_mock', 'world')],
  ['GET', '/_mock%2Finbox/a', call('_mock/inbox', 'a')],
  ['GET', '/_mock/inbox%2Fa', call('_mock', 'inbox/a')],
  ['POST', '/_mock/inbox', call('_mock', 'inbox')],
  ['POST', '/_mock/inbox/', call('_mock', 'inbox', '')],
  ['PUT', '/_mock/inbox/ci', call('_mock', 'inbox', 'ci')],
  ['DELETE', '/_mock/inbox/ci?x=1', call('_mock', 'inbox', 'ci')],
  ['GET', '/_mock/inbox/ci/messages', call('_mock', 'inbox', 'ci', 'messages')],
  ['GET', '/_mock/inbox/ci/%6dessages', call('_mock', 'inbox', 'ci', 'messages')],
  ['HEAD', '/_mock/inbox/ci/messages', call('_mock', 'inbox', 'ci', 'messages')],
  ['HEAD', '/_mock/inbox/ci', message('ci', '')],
  ['GET', '/_mock/inbox/ci', message('ci', '')],
  ['POST', '/_mock/inbox/ci', message('ci', '')],
  ['POST', '/_mock/inbox/a%2Fb?key=%20', message('a/b', '?key=%20')],
  ['PUT', '/_mock/inbox/ci/', message('ci', '/')],
  ['POST', '/_mock/inbox/ci/messages', message('ci', '/messages')],
  ['GET', '/_mock/inbox/ci/messages/1', message('ci', '/messages/1')],
  ['POST', 'http://mock.example:4010/_mock/inbox/ci/x/y?z#w', message('ci', '/x/y?z#w')],
])('%s %s', (method, url, target) => {
  expect(readTarget(method, url)).toEqual(target);
});

test('refuses a path that is not percent-encoded', () => {
  expect(() => readTarget('GET', '/_mock/%zz')).toThrow('not percent-encoded');
});

test('a method with a wrong body: a call that waits rejects, any other throws', async () => {
  const { control } = openControl();
  await expect(control.moveClock({})).rejects.toThrow('POST /_mock/clock: the body: expected a map with');
  await expect(control.setFaults({ on: 1 as never })).rejects.toThrow('/on: expected a list');
  expect(() => control.causeEvent({ event: 'x' as never })).toThrow('/event: expected one of');
  expect(control.expireTokens()).toEqual({ expired: 0 });
});

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test.each([
  ['a hundred are one page', numbers(100), {}, numbers(100), undefined],
  ['more are several', numbers(101), {}, numbers(100), 100],
  ['the second page', numbers(101), { cursor: 100 }, [101], undefined],
  ['the newest come first on request', numbers(5), { order: 'newest', limit: 2 }, [5, 4], 4],
  ['page by page', numbers(5), { order: 'newest', limit: 3, cursor: 4 }, [3, 2, 1], undefined],
  ['what is dropped shifts nothing', [4, 5, 6], { limit: 3, cursor: 3 }, [4, 5, 6], undefined],
  ['entries in another order, as after the reset of a tenant', [3, 1, 2], { limit: 2 }, [1, 2], 2],
  ['none', [], { limit: 1 }, [], undefined],
] as const)('of a list, %s', (_case, all, page, shown, next) => {
  const entries = all.map((id) => ({ id }));
  const listed = listOf('all', entries, page, ({ id }) => id);
  expect(listed).toEqual({ all: shown, total: all.length, ...(next !== undefined && { next }) });
});
