import { expect, test } from 'vitest';
import { shareTime } from './profiles.ts';

test('time is shared by packages, rooms and parts of Node, without what is idle', () => {
  const root = new URL('../..', import.meta.url).href;
  const frames = [
    ['(root)', ''],
    ['(idle)', ''],
    ['writeUtf8String', ''],
    ['onread', 'node:internal/stream_base_commons'],
    ['go', `${root}mock/webhooks/dispatcher.ts`],
    ['main', `${root}scripts/bench/servers/mock-server.ts`],
    ['parse', 'file:///elsewhere/node_modules/@scope/name/index.js'],
    ['createHash', 'node:crypto'],
  ];
  const profile = {
    nodes: frames.map(([functionName = '', url = ''], id) => ({ id, callFrame: { functionName, url } })),
    samples: frames.map((_, id) => id),
    timeDeltas: [0, 5000, 400, 200, 1100, 100, 150, 50],
  };
  expect(shareTime(profile)).toEqual({
    name: 'scripts/bench/servers/mock-server.ts',
    busyMs: 2,
    shares: [
      { what: 'mock/webhooks', share: 0.55 },
      { what: 'system calls that write', share: 0.2 },
      { what: "Node's HTTP and streams", share: 0.1 },
      { what: 'package @scope/name', share: 0.075 },
      { what: 'scripts/bench', share: 0.05 },
      { what: 'Node: crypto', share: 0.025 },
    ],
  });
});
