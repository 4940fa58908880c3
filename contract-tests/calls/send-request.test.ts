import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Context } from '../context.ts';
import { asCleanUp } from '../core/clean-up-scope.ts';
import { createLossBudget } from '../core/loss-budget.ts';
import { interruption, Unreachable } from '../core/outcomes.ts';
import { requireGoingOn, sendRequest } from './send-request.ts';

test('after an interruption the clean-up goes on, and what a check has begun before it does not', async () => {
  const interrupted = { signal: AbortSignal.abort(), ended: undefined };
  const goOn = () => requireGoingOn(interrupted);
  const check = sleep(5).then(goOn);
  const cleanUp = asCleanUp(async () => {
    await sleep(10);
    goOn();
  });
  await expect(check).rejects.toThrow(interruption.reason);
  await expect(cleanUp).resolves.toBeUndefined();
});

test('a run ends that has waited too long for lost answers, though others come in between', async () => {
  let sent = 0;
  const state = { ended: undefined, losses: createLossBudget(20) };
  const context = {
    ...{ signal: new AbortController().signal, inFlight: new Set(), ...state },
    options: { baseUrl: 'http://a.example/api/v1', requestTimeoutMs: 20 },
    send: async () => {
      if (sent++ % 2 === 0) return { status: 200, headers: {}, text: '', json: undefined };
      await sleep(110);
      throw new Unreachable('nothing came');
    },
  } as unknown as Context;
  const operation = { id: 'createSite', method: 'POST' } as Parameters<typeof sendRequest>[1];
  const request = { method: 'POST', url: 'http://a.example/api/v1/x', headers: {}, body: undefined };
  for (let lost = 0; lost < 20 && !context.ended; lost++)
    for (let tries = 0; tries < 2; tries++)
      await sendRequest(context, operation, request).catch((error) =>
        expect(error).toBeInstanceOf(Unreachable),
      );
  expect(context.ended).toMatchObject({
    kind: 'unreachable',
    reason: expect.stringContaining('nothing came'),
  });
  expect(sent).toBeGreaterThan(3);
});
