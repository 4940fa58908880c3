// Calls each drawn operation on the mock, which proves that the population is usable.
import { expect } from 'vitest';
import { openMock, subscriptionRequest } from '../../../mock/testing/open-mock.ts';
import { type OperationId, operationsOf } from '../../../openapi/operations.ts';
import type { Profile } from '../../../openapi/profile.ts';
import { resolve } from '../../../openapi/resolve.ts';

/** These create resources for the others. */
const first: readonly OperationId[] = [
  ...(['createSite', 'importSite', 'createKey', 'createContent', 'createSubscription'] as const),
];

const last: readonly OperationId[] = ['deleteContent', 'deleteSubscription', 'deleteSite', 'deleteKey'];

/** Other tests call these. */
const sessions: readonly OperationId[] = ['login', 'refresh'];

function inOrder(offered: readonly OperationId[]): OperationId[] {
  const others = offered.filter((id) => ![...first, ...last, ...sessions].includes(id));
  const callable = offered.filter((id) => id !== 'getPublish' || offered.includes('publishSite'));
  return [...first, ...others, ...last].filter((id) => callable.includes(id));
}

export async function expectUsable(profile: Profile, isVaried: boolean): Promise<void> {
  const variations = isVaried ? ['shuffled-keys', 'extra-fields', 'mixed-offsets'] : [];
  const mock = openMock(profile, { variations });
  const offered = operationsOf(resolve(profile)).map(({ id }) => id);
  const refused: string[] = [];
  for (const id of inOrder(offered)) {
    const { envelope, mismatches } = await mock.perform(id, valuesFor(mock), await mock.tokenFor(id));
    // A publish may block the next one for a few seconds.
    await mock.service.scheduler.advance(mock.clock.time + 60_000);
    if (envelope.code !== 0 || mismatches.length > 0)
      refused.push(`${id}: ${envelope.message} ${mismatches.map(({ at, message }) => `${at} ${message}`)}`);
  }
  expect(refused).toEqual([]);
  expect(mock.logged).toEqual([]);
  await mock.app.close();
}

/** Current resources of the world, independent of the answers. */
function valuesFor({ service: { world }, profile }: ReturnType<typeof openMock>): Record<string, unknown> {
  const isPublic = profile.values['subscription.url-rule'] === 'public-only';
  const url = isPublic ? 'https://hooks.invalid/x' : 'https://127.0.0.1:1/x';
  const [subscription] = [...world.subscriptions.values()].slice(-1);
  const [content] = [...world.contents.values()].filter(({ siteId }) => siteId === 101).slice(-1);
  const publication = [...world.publications.values()].findLast(({ siteId }) => siteId === 101);
  const [key] = [...world.apiKeys.values()].filter(({ tenantId }) => tenantId === 1).slice(-1);
  return {
    ...subscriptionRequest({ url, secret: 's'.repeat(32) }),
    ...{ subscriptionID: subscription?.id, id: subscription?.id, event: 'publish.complete' },
    ...{ contentID: content?.id, keyID: key?.id, version: publication?.version },
    ...{
      name: 'New',
      note: 'a/b ü',
      source: 'https://old.example/x',
      prompt: 'Why?',
      title: 'Tea',
      text: 'x',
    },
    ...{ form: 'book', fields: { seats: 2, '0': ['a'] }, author: 'Lin' },
  };
}
