// Finds what has changed in a world since it was last kept.
import { hash } from 'node:crypto';
import type { Inbox, InboxMessage, World } from '../world/world.ts';
import { type KeptList, keepList } from './kept-list.ts';
import { inboxKind, jobKind, mapKinds, messageKind, overrideKind, sessionKind } from './kinds.ts';
import type { Batch, KeptRows, RowChange } from './row.ts';
import { watchMap } from './watch-map.ts';
import { headOf, type MessageRow } from './world-rows.ts';

export interface KeptWorld {
  /** What has changed since the last call; of a world without rows, all that it has. With `isLast`, nothing is left for later. */
  takeChanges(how?: { isLast: boolean }): Batch;
}

type Key = number | string;

/** Each call moves the session that it uses to the end; where sessions stand is written so often. */
const placesEveryMs = 60_000;

/** Watches the world, which is that of these rows, if any. `onTouch` is called when something may have changed. */
export function keepWorld(world: World, found: KeptRows | undefined, onTouch: () => void): KeptWorld {
  let isWhole = found === undefined;
  let head = found?.head;
  let lastOrd = (found?.rows ?? []).reduce((most, { ord }) => Math.max(most, ord), 0);
  const nextOrd = () => ++lastOrd;
  const printsOf = Map.groupBy(found?.rows ?? [], ({ kind }) => kind);
  const maps = mapKinds.map(({ name, kind, hasNumbers }) => {
    const map = world[name] as Map<Key, object>;
    const rows = printsOf.get(kind) ?? [];
    const prints = new Map<Key, string>(
      rows.map(({ key, value }) => [hasNumbers ? Number(key) : key, printOf(value)]),
    );
    return { kind, map, prints, takeTouched: watchMap(map, onTouch) };
  });
  printsOf.clear();
  const overrides = keepList(found ? world.overrides : [], {
    kind: overrideKind,
    write: (override) => JSON.stringify(override),
    isMutable: true,
    nextOrd,
  });
  const jobs = keepList(found ? world.jobs : [], {
    kind: jobKind,
    write: (job) => JSON.stringify(job),
    nextOrd,
  });
  let jobsBefore = found ? placeOfJobs(world) : undefined;
  const messages = new Map<Key, KeptList<InboxMessage>>();
  if (found)
    for (const [name, inbox] of world.inboxes) messages.set(name, keepMessages(name, inbox.messages));
  /** Sessions in the order in which they were used since their places were written. */
  let moved = new Set<Key>();
  let placedAt = performance.now();

  function keepMessages(inbox: string, known: readonly InboxMessage[]): KeptList<InboxMessage> {
    const write = (message: InboxMessage) => JSON.stringify({ inbox, message } satisfies MessageRow);
    return keepList(known, { kind: messageKind, write, nextOrd });
  }

  function changesOfMaps(): RowChange[] {
    const changes: RowChange[] = [];
    for (const { kind, map, prints, takeTouched } of maps) {
      const { touched, placed } = takeTouched();
      const keys = isWhole ? map.keys() : touched;
      const ords = new Map<Key, number>();
      for (const key of isWhole ? map.keys() : placed) ords.set(key, nextOrd());
      for (const key of keys) {
        const change = changeOf({ kind, key, prints, ord: ords.get(key) }, entryOf(map, key));
        if (change) changes.push(change);
        if (kind === inboxKind) changes.push(...changesOfMessages(String(key), entryOf(map, key)));
      }
      if (kind === sessionKind && !isWhole) for (const key of placed) move(key);
    }
    return changes;
  }

  function move(key: Key): void {
    moved.delete(key);
    moved.add(key);
  }

  function changesOfMessages(name: string, inbox: object | undefined): RowChange[] {
    const list = messages.get(name) ?? keepMessages(name, []);
    messages.set(name, list);
    if (!inbox) messages.delete(name);
    return list.takeChanges((inbox as Inbox | undefined)?.messages ?? []);
  }

  /** The sessions that were used stand after all others, in the order of their use. */
  function changesOfPlaces(isLast: boolean): RowChange[] {
    const now = performance.now();
    if (moved.size === 0 || (!isLast && now < placedAt + placesEveryMs)) return [];
    const keys = moved;
    moved = new Set();
    placedAt = now;
    return [...keys]
      .filter((key) => world.sessions.has(String(key)))
      .map((key) => ({ kind: sessionKind, key: String(key), to: 'place', ord: nextOrd() }));
  }

  function changesOfJobs(): RowChange[] {
    const now = placeOfJobs(world);
    const isSame = jobsBefore && now.every((one, index) => one === jobsBefore?.[index]);
    jobsBefore = now;
    return isSame ? [] : jobs.takeChanges(world.jobs);
  }

  return {
    takeChanges({ isLast } = { isLast: false }) {
      const rows = [...changesOfMaps(), ...changesOfJobs(), ...overrides.takeChanges(world.overrides)];
      rows.push(...changesOfPlaces(isLast));
      const now = headOf(world);
      const batch = { isWhole, head: now === head ? undefined : now, rows };
      head = now;
      isWhole = false;
      return batch;
    },
  };
}

/** What tells whether a job came or went: an agenda of thousands is not looked through for nothing. */
function placeOfJobs({ jobs, counters }: World): readonly [object, number, number] {
  return [jobs, jobs.length, counters.job];
}

/** Without a note that it was got. */
function entryOf(map: Map<Key, object>, key: Key): object | undefined {
  return Map.prototype.get.call(map, key) as object | undefined;
}

interface KeptEntry {
  kind: number;
  key: Key;
  /** What was last kept of each entry of this kind. */
  prints: Map<Key, string>;
  /** Its new place, if it has one. */
  ord: number | undefined;
}

function changeOf(
  { kind, key: given, prints, ord }: KeptEntry,
  entry: object | undefined,
): RowChange | undefined {
  const key = String(given);
  const before = prints.get(given);
  if (entry === undefined) {
    prints.delete(given);
    return before === undefined ? undefined : { kind, key, to: 'nothing' };
  }
  const value = textOf(kind, entry);
  const print = printOf(value);
  prints.set(given, print);
  if (print === before)
    return ord === undefined || kind === sessionKind ? undefined : { kind, key, to: 'place', ord };
  if (before === undefined || ord !== undefined) return { kind, key, to: 'row', ord: ord ?? 0, value };
  return { kind, key, to: 'value', value };
}

function textOf(kind: number, entry: object): string {
  // Its messages have rows of their own.
  if (kind === inboxKind) return JSON.stringify({ ...(entry as Inbox), messages: undefined });
  return JSON.stringify(entry);
}

const longestPrint = 48;

/** By which two values are told apart, in as much memory as needed. */
function printOf(value: string): string {
  return value.length <= longestPrint ? value : hash('sha256', value, 'base64');
}
