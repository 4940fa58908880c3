// Finds what has changed in a world since it was last kept, and does what others have changed.
import type { ClockState, Delivery, Inbox, InboxMessage, Job, Override, World } from '../../world/world.ts';
import {
  deliveryKind,
  inboxKind,
  jobKind,
  mapKinds,
  messageKind,
  overrideKind,
  sessionKind,
} from '../rows/kinds.ts';
import type { Batch, KeptRows, RowChange } from '../rows/row.ts';
import { type MessageRow, readHead, readInbox, sortJobs, writeHead, writeInbox } from '../rows/world-rows.ts';
import { type KeptList, keepList } from './kept-list.ts';
import { type KeptMap, keepMap } from './kept-map.ts';
import { type News, noNews, noteDelivery } from './news.ts';

export interface KeptWorld {
  /** What has changed since the last call; of a world without rows, all that it has. With `isLast`, nothing is left for later. */
  takeChanges(how?: { isLast: boolean }): Batch;
  /** Does what others have changed since then. */
  apply(others: { head: string; rows: readonly RowChange[] }): News;
  /** How far the clock of those who share the world is ahead of that of this machine, in milliseconds; 0 at first. A clock that runs shows their time. */
  setAhead(ms: number): void;
}

/** Each call moves the session that it uses to the end; where sessions stand is written so often. */
const placesEveryMs = 60_000;

/** Watches the world, which is that of these rows, if any. `onTouch` is called when something may have changed. */
export function keepWorld(world: World, found: KeptRows | undefined, onTouch: () => void): KeptWorld {
  let isWhole = found === undefined;
  let head = found?.head;
  let lastOrd = found ? readHead(found.head).lastOrd : 0;
  const nextOrd = () => ++lastOrd;
  const rowsOf = Map.groupBy(found?.rows ?? [], ({ kind }) => kind);
  const maps = new Map<number, KeptMap>();
  /** The kinds of the maps in which something may have changed. */
  let touched = new Set<number>();
  for (const { name, kind, hasNumbers } of mapKinds) {
    const codec = kind === inboxKind ? inboxCodec : entryCodec;
    const map = world[name] as Map<number | string, object>;
    const movesOften = kind === sessionKind;
    const noteTouch = () => {
      touched.add(kind);
      onTouch();
    };
    maps.set(
      kind,
      keepMap(rowsOf.get(kind) ?? [], {
        kind,
        map,
        hasNumbers,
        movesOften,
        ...codec,
        nextOrd,
        onTouch: noteTouch,
      }),
    );
  }
  rowsOf.clear();
  const overrides = keepList<Override>(found ? world.overrides : [], {
    kind: overrideKind,
    ...itemCodec<Override>(),
    isMutable: true,
    nextOrd,
  });
  const jobs = keepList<Job>(found ? world.jobs : [], {
    kind: jobKind,
    ...itemCodec<Job>(),
    idOf: ({ id }) => id,
    nextOrd,
  });
  let jobsBefore = found ? placeOfJobs(world) : undefined;
  const messages = new Map<string, KeptList<InboxMessage>>();
  if (found) for (const [name, inbox] of world.inboxes) messagesOf(name, inbox.messages);
  let placedAt = performance.now();
  let aheadMs = 0;

  function messagesOf(inbox: string, known: readonly InboxMessage[] = []): KeptList<InboxMessage> {
    const list =
      messages.get(inbox) ??
      keepList(known, {
        kind: messageKind,
        write: (message) => JSON.stringify({ inbox, message } satisfies MessageRow),
        read: (value) => (JSON.parse(value) as MessageRow).message,
        nextOrd,
      });
    messages.set(inbox, list);
    return list;
  }

  function changesOfMaps(): RowChange[] {
    const changes: RowChange[] = [];
    for (const kind of isWhole ? maps.keys() : touched) {
      const map = maps.get(kind);
      if (map) changes.push(...map.takeChanges(isWhole));
    }
    if (isWhole || touched.has(inboxKind)) changes.push(...changesOfMessages());
    touched = new Set();
    return changes;
  }

  function changesOfMessages(): RowChange[] {
    return [...(maps.get(inboxKind)?.lookedAt() ?? [])].flatMap((key) => {
      const name = String(key);
      const inbox = inboxIn(world, name);
      const changes = messagesOf(name).takeChanges(inbox?.messages ?? []);
      if (!inbox) messages.delete(name);
      return changes;
    });
  }

  /** The sessions that were used stand after all others, in the order of their use. */
  function changesOfPlaces(isLast: boolean): RowChange[] {
    const now = performance.now();
    const sessions = maps.get(sessionKind);
    if (!sessions?.hasMoved() || (!isLast && now < placedAt + placesEveryMs)) return [];
    placedAt = now;
    return sessions.takePlaces();
  }

  function changesOfJobs(): RowChange[] {
    const now = placeOfJobs(world);
    const isSame = jobsBefore && now.every((one, index) => one === jobsBefore?.[index]);
    jobsBefore = now;
    return isSame ? [] : jobs.takeChanges(world.jobs);
  }

  function applyMessages(changes: readonly RowChange[], news: News): void {
    // Those that are gone do not say of which inbox.
    const gone = changes.filter(({ value }) => value === undefined);
    const added = Map.groupBy(
      changes.filter(({ value }) => value !== undefined),
      ({ value = '' }) => (JSON.parse(value) as MessageRow).inbox,
    );
    for (const name of world.inboxes.keys()) {
      const inbox = inboxIn(world, name);
      if (!inbox) continue;
      const changesHere = [...gone, ...(added.get(name) ?? [])];
      if (changesHere.length === 0) continue;
      const before = new Set(inbox.messages);
      inbox.messages = messagesOf(name).apply(inbox.messages, changesHere);
      for (const message of inbox.messages)
        if (!before.has(message)) news.messages.push({ inbox: name, message });
    }
    for (const name of messages.keys()) if (!world.inboxes.has(name)) messages.delete(name);
  }

  return {
    takeChanges({ isLast } = { isLast: false }) {
      const rows = [...changesOfMaps(), ...changesOfJobs()];
      rows.push(...overrides.takeChanges(world.overrides));
      const places = changesOfPlaces(isLast);
      const { random, counters, faults } = world;
      const now = writeHead({ random, clock: shift(world.clock, -aheadMs), counters, faults, lastOrd });
      const batch = { isWhole, head: now === head ? undefined : now, rows: replaceRows(rows, places) };
      head = now;
      isWhole = false;
      return batch;
    },
    apply(others) {
      const news = noNews();
      const { random, clock, counters, faults, ...rest } = readHead(others.head);
      news.hasClockMoved = hasMoved(shift(world.clock, -aheadMs), clock);
      Object.assign(world, { random, clock: shift(clock, aheadMs), faults });
      Object.assign(world.counters, counters);
      ({ lastOrd } = rest);
      ({ head } = others);
      const inOrder = [...others.rows].sort((one, other) => one.ord - other.ord);
      const byKind = Map.groupBy(inOrder, ({ kind }) => kind);
      for (const [kind, changes] of byKind)
        maps
          .get(kind)
          ?.apply(
            changes,
            kind === deliveryKind
              ? (before, now) => noteDelivery(news, before as Delivery, now as Delivery)
              : undefined,
          );
      if (byKind.has(messageKind) || byKind.has(inboxKind))
        applyMessages(byKind.get(messageKind) ?? [], news);
      const ofJobs = byKind.get(jobKind);
      if (ofJobs) world.jobs = sortJobs(jobs.apply(world.jobs, ofJobs));
      jobsBefore = placeOfJobs(world);
      const ofOverrides = byKind.get(overrideKind);
      if (ofOverrides) world.overrides = overrides.apply(world.overrides, ofOverrides);
      return news;
    },
    setAhead(ms) {
      world.clock = shift(world.clock, ms - aheadMs);
      aheadMs = ms;
    },
  };
}

/** A session that has changed and moved has one row. */
function replaceRows(rows: RowChange[], places: readonly RowChange[]): RowChange[] {
  if (places.length === 0) return rows;
  const moved = new Set(places.map(({ key }) => key));
  return [...rows.filter(({ kind, key }) => kind !== sessionKind || !moved.has(key)), ...places];
}

/** A manual clock moves with each job that it comes by. */
function hasMoved(before: ClockState, now: ClockState): boolean {
  if (before.mode === 'manual') return now.mode !== 'manual' || now.time !== before.time;
  return now.mode === 'manual' || now.offset !== before.offset;
}

function shift(clock: ClockState, ms: number): ClockState {
  return ms === 0 || clock.mode === 'manual' ? clock : { ...clock, offset: clock.offset + ms };
}

const entryCodec = {
  write: (entry: object) => JSON.stringify(entry),
  read: (value: string) => JSON.parse(value) as object,
};

/** The messages of an inbox have rows of their own. */
const inboxCodec = {
  write: (entry: object) => writeInbox(entry as Inbox),
  read: (value: string, before: object | undefined) =>
    readInbox(value, (before as Inbox | undefined)?.messages),
};

function itemCodec<Item>() {
  return {
    write: (item: Item) => JSON.stringify(item),
    read: (value: string) => JSON.parse(value) as Item,
  };
}

/** Without a note that it was got. */
function inboxIn({ inboxes }: World, name: string): Inbox | undefined {
  return Map.prototype.get.call(inboxes, name) as Inbox | undefined;
}

/** What tells whether a job came or went: an agenda of thousands is not looked through for nothing. */
function placeOfJobs({ jobs, counters }: World): readonly [object, number, number] {
  return [jobs, jobs.length, counters.job];
}
