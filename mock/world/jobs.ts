import { Collection } from './collection.ts';
import type { Job } from './entries.ts';

export class Jobs extends Collection<number, Job> {
  readonly #order: Job[] = [];

  /** Sorted by due time, then by id. */
  get order(): readonly Job[] {
    return this.#order;
  }

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

  #placeOf(job: Job): number {
    return countWhile(this.#order, ({ at, id }) => at < job.at || (at === job.at && id < job.id));
  }
}

/** Binary search for how many first entries meet a condition that no later entry meets. */
function countWhile<Entry>(entries: readonly Entry[], holds: (entry: Entry) => boolean): number {
  let [from, to] = [0, entries.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(entries[middle] as Entry)) from = middle + 1;
    else to = middle;
  }
  return from;
}
