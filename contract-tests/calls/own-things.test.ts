import { expect, test } from 'vitest';
import { createResources } from '../deployment/created-resources.ts';
import type { Thing } from '../deployment/shown-things.ts';
import { exchangeOf, openContext } from '../testing.ts';
import { type Asker, whoseIs } from './own-things.ts';

test('waits once for all that was created and no list shows, and once more for what is created after that', async () => {
  const resources = createResources();
  const create = (id: number): Thing => {
    const thing: Thing = { what: 'subscription', id, site: 101, tenant: 'main' };
    resources.ownership.addClaim(thing, `http://a.example/${id}`, exchangeOf({ code: 0, data: { id } }));
    return thing;
  };
  let waits = 0;
  const { operations } = openContext();
  const asker: Asker = { resources, operations, read: async () => true, wait: async () => ++waits > 0 };
  const [one, another] = [create(1), create(2)];
  for (const thing of [one, another, one]) await whoseIs(asker, thing);
  expect(waits).toBe(1);
  await whoseIs(asker, create(3));
  expect(waits).toBe(2);
});
