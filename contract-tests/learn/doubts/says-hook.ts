// Whether subscriptions are those of webhooks: people subscribe to plans and newsletters, too.
import { answerFields, type DescribedOperation, wordingOf } from '../described-operation.ts';
import { findByName } from '../words/find-named.ts';
import { namesOfReads } from '../words/names-of-values.ts';
import { withTheirCollections } from './say-of-collection.ts';

/** Those of the operations that are about subscriptions which something says are of webhooks: they themselves, or others below the same path. */
export function findHooks(operations: readonly DescribedOperation[]): ReadonlySet<DescribedOperation> {
  return new Set(withTheirCollections(operations, { nouns: ['subscription'], says: saysHook }));
}

const words =
  /web[-_ ]?hook|(^|[^a-z])hooks?([^a-z]|$)|call[-_ ]?back|push|event|notif|endpoint|listener|deliver|回调|钩子|推送|事件|gouzi|huidiao|tuisong/i;

/** Of logs: what is delivered may be parcels, and what is pushed commits. */
const logWords = /hook|call[-_ ]?back|subscri|event|订阅|回调|钩子|事件|gouzi|huidiao|dingyue/i;

/** Whether a log is that of webhooks, as far as something is said of it. */
export function saysHookLog(operation: DescribedOperation): boolean {
  const fields = answerFields(operation);
  const isSilent = !fields.some(({ pointer }) => pointer.includes('/*/'));
  if (wordingOf(operation).some((text) => logWords.test(text) || (isSilent && words.test(text)))) return true;
  return findByName(fields, namesOfReads.event ?? []).some(({ field }) => field.pointer.includes('/*/'));
}

/** Hooks that are called from outside. */
const inwards = /(build|deploy|git|inbound|incoming|payment)[-_ ]?hook/i;

function saysHook(operation: DescribedOperation): boolean {
  const { path, texts } = operation;
  if ([path, ...texts.slice(0, 1)].some((text) => inwards.test(text))) return false;
  if (wordingOf(operation).some((text) => words.test(text))) return true;
  const fields = answerFields(operation);
  if (findByName(fields, ['plan', 'plan id', 'price', 'member id', 'email', 'customer id']).length > 0)
    return false;
  // A list shows where they are sent, and what about.
  return ['url', 'events'].every((read) => findByName(fields, namesOfReads[read] ?? []).length > 0);
}
