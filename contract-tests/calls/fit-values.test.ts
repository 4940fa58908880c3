import { expect, test } from 'vitest';
import { requireFit } from './fit-values.ts';

const operation = { id: 'deleteSubscription', path: '/sites/{siteID}/webhooks/{subscriptionID}' } as const;

test.for(['..', '.', '', 'a/../b', { toString: 1 }])(
  'no path is made of the identifier %j',
  (subscriptionID) => {
    expect(() => requireFit(operation, { siteID: 7, subscriptionID })).toThrow(
      'the {subscriptionID} to call deleteSubscription with would lead to another path',
    );
  },
);

test('what does not stand in the path is not looked at', () => {
  expect(() => requireFit(operation, { siteID: 7, subscriptionID: 'b', url: '..' }, 'sp_1')).not.toThrow();
});

test.for(['a\r\nX-Admin: 1', 'a\u0000', '海'])('no header is made of the token %j', (token) => {
  expect(() => requireFit(operation, {}, token)).toThrow('has a character that no header may have');
});

test('no header is made of a token that none can carry', () => {
  expect(() => requireFit(operation, {}, 'a1'.repeat(32_768))).not.toThrow();
  expect(() => requireFit(operation, {}, `${'a1'.repeat(32_768)}b`)).toThrow(
    'has 65537 characters, more than a header can carry',
  );
});
