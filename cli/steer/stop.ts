import { setTimeout as sleep } from 'node:timers/promises';
import { type MockClient, Unreachable } from './mock-client.ts';
import { type Steering, steerCommand } from './steer-command.ts';

/** `sitepub mock stop`: ends the mock. */
export const stop = steerCommand(end);

const longestMs = 10_000;
const pollMs = 50;

async function end({ mock, print }: Steering): Promise<number> {
  await mock.POST('/stop');
  if (!(await hasEnded(mock))) throw new Unreachable(`the mock at ${mock.url} does not end; end its process`);
  print({ stopped: mock.url }, [`the mock at ${mock.url} has ended`]);
  return 0;
}

async function hasEnded(mock: MockClient): Promise<boolean> {
  const end = performance.now() + longestMs;
  while (performance.now() < end) {
    try {
      await mock.GET('/clock');
    } catch {
      // A mock that gives no answer for so long has not ended.
      return performance.now() < end;
    }
    await sleep(pollMs);
  }
  return false;
}
