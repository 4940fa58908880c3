// The mock's own limit of garbage: the engine lets as much gather as it keeps, and more while large bodies come fast.
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** So much more than after the last collection starts the next one, in bytes. */
const mostGarbage = 32_000_000;

/** How often it is looked, in milliseconds: in this time, 1 MiB bodies make some 30 MB. */
const lookMs = 100;

/** So late that a start is over, in milliseconds. */
const startedMs = 2_000;

/** Keeps the garbage of this process small from now on. By default the engine would use 200 MB more for objects that live no longer than a request. */
export function boundGarbage(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=20');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options?: object) => void;
  // A start makes the room for new objects 16 MB large. This makes it small, and the first flag keeps it so.
  setTimeout(collect, startedMs, { type: 'major', execution: 'sync', flavor: 'last-resort' }).unref();
  let least = usedBytes();
  setInterval(() => {
    const used = usedBytes();
    least = Math.min(least, used);
    if (used < least + mostGarbage) return;
    collect();
    least = usedBytes();
  }, lookMs).unref();
}

/** Of the heap and of what it holds outside of it, such as buffers. */
function usedBytes(): number {
  const { used_heap_size: heap, external_memory: outside } = getHeapStatistics();
  return heap + outside;
}
