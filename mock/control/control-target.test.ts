import { expect, test } from 'vitest';
import { readTarget } from './control-target.ts';

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
