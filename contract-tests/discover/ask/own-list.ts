// Reads lists of resources, and recognises answers that mark a resource of this run as deleted.
import { parentOf } from '../../../openapi/json-pointer.ts';
import { readPages } from '../../calls/read-pages.ts';
import type { Exchange } from '../../core/exchange.ts';
import { answerLeaves, type JsonLeaf } from '../../core/json-leaves.ts';
import { settle } from '../../core/settled.ts';
import { creations } from '../../deployment/created-resources.ts';
import { readingOf, type Thing } from '../../deployment/shown-things.ts';
import type { Probe } from '../probe.ts';
import { callOperation, isGiven } from './operations.ts';

const mostPages = 10;

/** Undefined if no list is readable, or if it marks a resource of this run as deleted. `isWhole`: complete, with ids and names. */
export async function readOwnList(probe: Probe, { what, site }: Pick<Thing, 'what' | 'site'>) {
  const { list } = readingOf[what] ?? {};
  if (!list || !isGiven(probe, list)) return undefined;
  let left = mostPages;
  let isTold = false;
  const read = async (page = {}) => {
    left--;
    const { exchange, values } = await callOperation(probe, list, { siteID: site, ...page });
    isTold ||= saysDeleted(probe, exchange);
    return { ...exchange, values };
  };
  const listed = await settle(async () => {
    const first = await read();
    return readPages(probe.seen.operations.get(list), first, { send: read, isEnough: () => left === 0 });
  });
  if (listed.error || isTold) return undefined;
  const field = Object.values(creations).find((one) => one.what === what)?.target ?? '';
  const { items, isWhole } = listed.value();
  const things = items.map((item) => ({ id: item.id, name: item[field] }));
  const areKnown = things.every(({ id, name }) => id !== undefined && name !== undefined);
  return { things, isWhole: isWhole && areKnown };
}

/** Whether a member such as `deleted_at`, or a state, beside a name of this run says that it is deleted. */
export function saysDeleted({ runId }: Probe, { response }: Exchange): boolean {
  const leaves = answerLeaves(response.json);
  const named = leaves.filter(({ value }) => String(value).includes(runId));
  const holders = new Set(named.map(({ pointer }) => parentOf(pointer)));
  const isTold = ({ name, value }: JsonLeaf) =>
    /delet|remov|archiv|trash|revok|disabl/i.test(name)
      ? Boolean(value)
      : deletedState.test(String(value)) || (value === false && /^(is_?)?(active|enabled)$/i.test(name));
  return leaves.some((leaf) => holders.has(parentOf(leaf.pointer)) && isTold(leaf));
}

/** At most a few words, so that an event name does not match. */
const deletedState = /^[\w -]*(delet|remov|archiv|trash|revok|disabl|inactiv)\w*$/i;
