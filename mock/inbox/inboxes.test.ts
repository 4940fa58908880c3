import { expect, test } from 'vitest';
import { createEmptyWorld } from '../world/world.ts';
import { clearInbox, configureInbox, openInbox } from './inboxes.ts';
import { receiveMessage } from './receive-message.ts';
import { isSignedBy } from './secrets.ts';

const request = { method: 'POST', path: '', headers: {}, body: Buffer.from('{}') };

function emptyWorld() {
  return createEmptyWorld(1, { mode: 'manual', time: 0 });
}

test('an inbox is created on first use, as a plain receiver without messages', () => {
  const world = emptyWorld();
  expect(openInbox(world, '__proto__')).toEqual({
    kind: 'plain',
    respond: [],
    robot: {},
    robotState: { times: [] },
    received: 0,
  });
  expect(openInbox(world, '__proto__')).toBe(world.inboxes.get('__proto__'));
});

test('the oldest of more than 1000 inboxes is deleted', () => {
  const world = emptyWorld();
  openInbox(world, 'inbox 0');
  receiveMessage(world, 'inbox 0', { request, now: 0 });
  for (let count = 1; count <= 1002; count++) openInbox(world, `inbox ${count}`);
  expect([world.inboxes.size, world.messages.size]).toEqual([1000, 0]);
  expect([...world.inboxes.keys()].at(0)).toBe('inbox 3');
  expect([...world.inboxes.keys()].at(-1)).toBe('inbox 1002');
});

test('given settings replace the earlier ones, and the others stay', () => {
  const world = emptyWorld();
  configureInbox(world, 'a', { secret: 's', kind: 'wecom', robot: { token: 't', keywords: ['k'] } });
  configureInbox(world, 'a', { respond: [500, 'reset'], robot: { wording: 'documented' } });
  expect(openInbox(world, 'a')).toMatchObject({ secret: 's', kind: 'wecom', respond: [500, 'reset'] });
  expect(openInbox(world, 'a').robot).toEqual({ wording: 'documented' });
});

test('the given script does not change', () => {
  const world = emptyWorld();
  const respond = [500, 404];
  configureInbox(world, 'a', { respond });
  receiveMessage(world, 'a', { request, now: 0 });
  expect(openInbox(world, 'a').respond).toEqual([404]);
  expect(respond).toEqual([500, 404]);
});

test('another kind of robot starts to count anew, the same kind counts on', () => {
  const world = emptyWorld();
  configureInbox(world, 'a', { kind: 'wecom' });
  receiveMessage(world, 'a', { request, now: 7 });
  configureInbox(world, 'a', { kind: 'wecom', robot: { token: 't' } });
  expect(openInbox(world, 'a').robotState).toEqual({ times: [7] });
  configureInbox(world, 'a', { kind: 'feishu' });
  expect(openInbox(world, 'a').robotState).toEqual({ times: [] });
});

test('clearing removes messages, script and counts, and keeps the settings', () => {
  const world = emptyWorld();
  configureInbox(world, 'a', { kind: 'wecom', secret: 's', robot: { token: 't' }, respond: [500, 500] });
  receiveMessage(world, 'a', { request, now: 0 });
  clearInbox(world, 'a');
  expect(openInbox(world, 'a')).toEqual({
    kind: 'wecom',
    secret: 's',
    robot: { token: 't' },
    respond: [],
    robotState: { times: [] },
    received: 0,
  });
  expect(world.messages.size).toBe(0);
});

test('clearing an unknown inbox does not create it', () => {
  const world = emptyWorld();
  clearInbox(world, 'a');
  expect(world.inboxes.size).toBe(0);
});

// Vectors from other sources than the code under test: GitHub's documentation and octokit's tests.
const secret = "It's a Secret to Everybody";
const hex = '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';

test.each<[string, string | undefined, boolean]>([
  ['lower case', `sha256=${hex}`, true],
  ['upper case', `sha256=${hex.toUpperCase()}`, true],
  ['another digest', `sha256=${hex.replace('7', '8')}`, false],
  ['no header', undefined, false],
  ['an empty one', '', false],
  ['the prefix alone', 'sha256=', false],
  ['no prefix', hex, false],
  ['another prefix', `sha1=${hex}`, false],
  ['a digit too few', `sha256=${hex.slice(1)}`, false],
  ['a digit too many', `sha256=${hex}0`, false],
  ['a letter that is no digit', `sha256=g${hex.slice(1)}`, false],
  ['two headers in one', `sha256=${hex}, sha256=${hex}`, false],
])('%s', (_case, signature, want) => {
  expect(isSignedBy(secret, Buffer.from('Hello, World!'), signature)).toBe(want);
});

test('the signature covers the bytes, also those that are not text', () => {
  const signature = 'sha256=1b2c16b75bd2a870c114153ccda5bcfca63314bc722fa160d690de133ccbb9db';
  expect(isSignedBy('secret', Buffer.from('data'), signature)).toBe(true);
  expect(isSignedBy('secret', Buffer.from('\ufeffdata'), signature)).toBe(false);
  // By openssl: printf '\xff' | openssl dgst -sha256 -hmac secret
  const ofByte = 'sha256=877164fcec3e98076451fb62279a6d04f54fb286cd61f72d7ffc3bb000f5badf';
  expect(isSignedBy('secret', Buffer.from([0xff]), ofByte)).toBe(true);
  expect(isSignedBy('secret', Buffer.from([0xfe]), ofByte)).toBe(false);
  expect(isSignedBy('secret', Buffer.from('\ufffd'), ofByte)).toBe(false);
});
