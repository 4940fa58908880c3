import { expect, test } from 'vitest';
import { createStreamBudget } from './stream-budget.ts';

function listenerWith(writableLength: number) {
  const onClose: (() => void)[] = [];
  const listener = {
    writableLength,
    isDropped: false,
    on: (_event: 'close', act: () => void) => onClose.push(act),
    destroy() {
      listener.isDropped = true;
      for (const act of onClose) act();
    },
  };
  return listener;
}

test('takes a hundred listeners, whatever world they listen to, and more when some have gone', () => {
  const { admit } = createStreamBudget();
  const listeners = Array.from({ length: 100 }, () => listenerWith(0));
  for (const listener of listeners) admit(listener);
  expect(() => admit(listenerWith(0))).toThrow(
    '100 listen to the streams of this mock already; end one of them',
  );
  listeners[0]?.destroy();
  admit(listenerWith(0));
});

test('drops who has left more than 1 MiB unread', () => {
  const { admit, settle } = createStreamBudget();
  const listeners = [1_048_576, 1_048_577].map(listenerWith);
  for (const listener of listeners) admit(listener);
  settle();
  expect(listeners.map(({ isDropped }) => isDropped)).toEqual([false, true]);
});

test('drops those with most unread where all together have more than 32 MiB', () => {
  const { admit, settle } = createStreamBudget();
  const listeners = [...Array(40).fill(900_000), 10, 0].map(listenerWith);
  for (const listener of listeners) admit(listener);
  settle();
  const left = listeners.filter(({ isDropped }) => !isDropped);
  expect(left).toHaveLength(39);
  expect(left.slice(-2)).toEqual(listeners.slice(-2));
});
