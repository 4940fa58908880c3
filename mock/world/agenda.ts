import { Collection } from './collection.ts';
import type { Job } from './entries.ts';

/** The scheduled jobs, which also stand in the order in which they are due. */
export class Agenda extends Collection<number, Job> {
  readonly #order: Job[] = [];

  /** Of those due at the same time, the first scheduled comes first. */
  get order(): readonly Job[] {
    return this.#order;
  }

  /** The jobs that are due by then, in order. */
  dueBy(until: number): Job[] {
    const count = countWhile(this.#order, ({ at }) => at <= until);
    return this.#order.slice(0, count);
  }

  protected override entered(job: Job): void {
    this.#order.splice(this.#placeOf(job), 0, job);
  }

  protected override left(job: Job): void {
    this.#order.splice(this.#placeOf(job), 1);
  }

  /** How many jobs stand before it. */
  #placeOf(job: Job): number {
    return countWhile(this.#order, ({ at, id }) => at < job.at || (at === job.at && id < job.id));
  }
}

/** How many entries from the beginning meet a condition that no later one meets, by halving. */
function countWhile<Entry>(entries: readonly Entry[], holds: (entry: Entry) => boolean): number {
  let [from, to] = [0, entries.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(entries[middle] as Entry)) from = middle + 1;
    else to = middle;
  }
  return from;
}
