// Whether subscriptions are those of webhooks: people subscribe to plans and newsletters, too.
import type { DescribedOperation } from './described-operation.ts';
import { findByName } from './find-named.ts';
import { namesOfReads } from './names-of-values.ts';
import { wordsOf } from './words.ts';

/** Those of the operations that are about subscriptions which something says are of webhooks: they themselves, or others below the same path. */
export function findHooks(operations: readonly DescribedOperation[]): ReadonlySet<DescribedOperation> {
  const byPath = Map.groupBy(operations, ({ path }) => collectionIn(path));
  const groups = [...byPath].filter(([path, all]) => path !== undefined && all.some(saysHook));
  return new Set([...operations.filter(saysHook), ...groups.flatMap(([, all]) => all)]);
}

/** The path up to the subscriptions in it. */
function collectionIn(path: string): string | undefined {
  const segments = path.replace(/\{[^{}]*\}/g, '{}').split('/');
  const last = segments.findLastIndex((segment) =>
    wordsOf(segment).some(({ concept }) => concept === 'subscription'),
  );
  return last < 0 ? undefined : segments.slice(0, last + 1).join('/');
}

const words =
  /web[-_ ]?hook|(^|[^a-z])hooks?([^a-z]|$)|call[-_ ]?back|push|event|notif|endpoint|listener|deliver|回调|钩子|推送|事件|gouzi|huidiao|tuisong/i;

/** Of logs: what is delivered may be parcels, and what is pushed commits. */
const logWords = /hook|call[-_ ]?back|subscri|event|订阅|回调|钩子|事件|gouzi|huidiao|dingyue/i;

/** Whether a log is that of webhooks, as far as something is said of it. */
export function saysHookLog({ path, id = '', texts, tags, answers }: DescribedOperation): boolean {
  const fields = answers.flatMap(({ body = [] }) => body);
  const isSilent = !fields.some(({ pointer }) => pointer.includes('/*/'));
  if ([path, id, ...texts, ...tags].some((text) => logWords.test(text) || (isSilent && words.test(text))))
    return true;
  return findByName(fields, namesOfReads.event ?? []).some(({ field }) => field.pointer.includes('/*/'));
}

/** Hooks that are called from outside. */
const inwards = /(build|deploy|git|inbound|incoming|payment)[-_ ]?hook/i;

function saysHook({ path, id = '', texts, tags, answers }: DescribedOperation): boolean {
  if ([path, ...texts.slice(0, 1)].some((text) => inwards.test(text))) return false;
  if ([path, id, ...texts, ...tags].some((text) => words.test(text))) return true;
  const fields = answers.flatMap(({ body = [] }) => body);
  if (findByName(fields, ['plan', 'plan id', 'price', 'member id', 'email', 'customer id']).length > 0)
    return false;
  // A list shows where they are sent, and what about.
  return ['url', 'events'].every((read) => findByName(fields, namesOfReads[read] ?? []).length > 0);
}
