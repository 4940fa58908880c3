import { expect, test } from 'vitest';
import { alreadyMade, type Context, createContext, forget, once, replace } from '../context.ts';
import { openContext } from '../testing.ts';
import { createCostRecorder } from './costs.ts';
import { HarnessError } from './outcomes.ts';

test('a function runs once for the same arguments and counts as one step', async () => {
  const { context, costs } = recordedContext();
  const made: string[] = [];
  const make = async (_context: Context, name: string) => made.push(name);
  for (const name of ['a', 'b', 'a']) await once(context, make, name);
  expect(made).toEqual(['a', 'b']);
  expect(Object.keys(costs().steps)).toEqual(['make a', 'make b']);
});

test('reads, replaces and forgets a result', async () => {
  const context = openContext();
  let count = 0;
  const countUp = async () => ++count;
  expect(alreadyMade(context, countUp)).toBe(undefined);
  expect(await once(context, countUp)).toBe(1);
  expect(await alreadyMade(context, countUp)).toBe(1);
  replace(context, countUp, 7);
  expect(await once(context, countUp)).toBe(7);
  forget(context, countUp);
  expect(await once(context, countUp)).toBe(2);
});

test('refuses two functions with the same name', async () => {
  const { context } = recordedContext();
  const [one, other] = [1, 2].map((value) => ({ make: async () => value }));
  await once(context, one?.make ?? expect.fail());
  expect(() => once(context, other?.make ?? expect.fail())).toThrow(HarnessError);
});

function recordedContext(): { context: Context; costs: ReturnType<typeof createCostRecorder>['costs'] } {
  const recorder = createCostRecorder();
  return { context: createContext(openContext().options, { recorder }), costs: recorder.costs };
}
