import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openProgressChannel, receiveProgress } from './progress-messages.ts';

test('the number of checks and the waits come over, and an interruption goes back', async () => {
  const seen: unknown[] = [];
  const { channel, signal } = openProgressChannel();
  const progress = receiveProgress({
    onSelected: (count) => seen.push(count),
    onWait: (wait) => seen.push(wait),
  });
  channel.postMessage({ selected: 152 });
  channel.postMessage({ waiting: { until: 7, what: 'a push' } });
  progress.interrupt();
  while (seen.length < 2 || !signal.aborted) await sleep(1);
  expect(seen).toEqual([152, { until: 7, what: 'a push' }]);
  progress.close();
  channel.close();
});

test('an interruption reaches a thread that opens its channel later', async () => {
  const progress = receiveProgress({});
  progress.interrupt();
  await sleep(20);
  const { channel, signal } = openProgressChannel();
  while (!signal.aborted) await sleep(1);
  expect(signal.aborted).toBe(true);
  progress.close();
  channel.close();
});
