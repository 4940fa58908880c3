import { expect, test } from 'vitest';
import { operationsOf } from './operations.ts';
import { loadProfile } from './profile.ts';
import { resolve } from './resolve.ts';
import { secretAnswers } from './secret-names.ts';

test('an operation answers with a secret where its description names one', () => {
  const operations = ['default', 'always-200-camel-case'].flatMap((name) =>
    operationsOf(resolve(loadProfile(name))),
  );
  const described = operations.filter(({ success: { layout } }) =>
    ['token', 'key', 'secret'].some((name) => name in layout.values),
  );
  expect(new Set(described.map(({ id }) => id))).toEqual(new Set(secretAnswers));
});
