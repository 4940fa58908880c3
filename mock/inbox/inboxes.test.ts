import { expect, test } from 'vitest';
import { createEmptyWorld } from '../world/world.ts';
import { clearInbox, configureInbox, openInbox } from './inboxes.ts';
import { receiveMessage } from './receive-message.ts';

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
    messages: [],
    received: 0,
  });
  expect(openInbox(world, '__proto__')).toBe(world.inboxes.get('__proto__'));
});

test('the oldest of more than 1000 inboxes is deleted', () => {
  const world = emptyWorld();
  for (let count = 1; count <= 1002; count++) openInbox(world, `inbox ${count}`);
  expect(world.inboxes.size).toBe(1000);
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
    messages: [],
    received: 0,
  });
});

test('clearing an unknown inbox does not create it', () => {
  const world = emptyWorld();
  clearInbox(world, 'a');
  expect(world.inboxes.size).toBe(0);
});
