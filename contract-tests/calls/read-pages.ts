// Lists, page by page, as a profile says how pages are asked for.
import { getPath } from '../../openapi/json-pointer.ts';
import { namesIn, type Operation } from '../../openapi/operations.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { exactOf, writeJson } from '../core/parse-json.ts';

type Item = Record<string, unknown>;

/** What was read of a list. */
export interface ListedItems {
  items: readonly Item[];
  /** How many there are, as the deployment says; as many as were read where it says less. */
  total: number | undefined;
  /** Whether the items are all that there are. */
  isWhole: boolean;
  /** The answer with the last page that was read. */
  exchange: Exchange;
}

const mostPages = 50;

/**
 * Reads a list to its end, or until there are enough. `send` asks for the page that its values name. No size is asked for, since a deployment may have a
 * largest one; and `total` is no reason to stop, since it may count the items of a page. Throws NotVerified where the answer has no list.
 */
export async function readPages(
  operation: Operation | undefined,
  first: Exchange,
  { send, isEnough = () => false }: PageOptions,
): Promise<ListedItems> {
  const reading = startReading(operation);
  let exchange = first;
  let start = addPage(reading, exchange);
  while (start && !isEnough(reading.items) && reading.pages < mostPages) {
    const next = await send(start);
    // Some deployments refuse a page after the last one.
    if (!succeeded(next)) break;
    exchange = next;
    start = addPage(reading, exchange);
  }
  return listedItems(reading, exchange, start !== undefined);
}

interface PageOptions {
  send(page: Item): Promise<Exchange>;
  /** Whether these items are enough, so that no further page is read. */
  isEnough?: (items: readonly Item[]) => boolean;
}

interface Reading {
  operation: Operation | undefined;
  names: readonly string[];
  items: Item[];
  /** The items as they came, to know those that come again. */
  seen: Set<string>;
  cursors: Set<unknown>;
  pages: number;
  /** How many items came, those that came again included. */
  passed: number;
}

function startReading(operation: Operation | undefined): Reading {
  const names = operation ? namesIn(operation) : [];
  return { operation, names, items: [], seen: new Set(), cursors: new Set(), pages: 0, passed: 0 };
}

/** Adds the items of a page, and returns what asks for the next one; undefined where there is none. */
function addPage(reading: Reading, exchange: Exchange): Item | undefined {
  const { list, next } = exchange.values;
  if (!Array.isArray(list))
    throw new NotVerified('the answer has no list at the pointer in the profile; see ENV-6');
  const { names, seen, items } = reading;
  const isFirst = reading.pages++ === 0;
  const before = items.length;
  const whole = wholeItems(reading, exchange);
  for (const [index, item] of (list as Item[]).entries()) {
    const written = writeJson(whole[index] ?? null);
    if (isFirst || !seen.has(written)) items.push(item);
    seen.add(written);
  }
  reading.passed += list.length;
  if (names.includes('cursor')) return nextByCursor(reading, next);
  if (items.length === before) return undefined;
  if (names.includes('offset')) return { offset: reading.passed };
  return names.includes('page') ? { page: reading.pages + 1 } : undefined;
}

/** A page may be empty and have others after it. */
function nextByCursor({ cursors }: Reading, cursor: unknown): Item | undefined {
  if (cursor === undefined || cursor === null || cursor === '' || cursors.has(cursor)) return undefined;
  cursors.add(cursor);
  return { cursor };
}

/** The items with all their members, for the profile may not say where any of them are. */
function wholeItems({ operation }: Reading, { response }: Exchange): readonly unknown[] {
  const items = getPath(exactOf(response), operation?.success.layout.values.list ?? []);
  return Array.isArray(items) ? items : [];
}

/** Where no pages are stated, the list may be cut all the same. */
function listedItems({ items, names }: Reading, exchange: Exchange, isCut: boolean): ListedItems {
  const stated = exchange.values.total;
  const total = typeof stated === 'number' ? Math.max(stated, items.length) : undefined;
  const isEnd = !isCut && total === undefined && pageStarts.some((name) => names.includes(name));
  return { items, total, isWhole: isEnd || items.length === total, exchange };
}

const pageStarts = ['page', 'offset', 'cursor'];
