// Limits the weight of concurrent work for each key; the rest waits in order of arrival.

interface Waiter {
  weight: number;
  start: () => void;
  next: Waiter | undefined;
}

interface Queue {
  used: number;
  /** Waiters form a linked list, since taking the first item off an array moves all others. */
  first: Waiter | undefined;
  last: Waiter | undefined;
  isStarting: boolean;
}

interface LaneLimits {
  /** Limit of concurrent weight for each key; heavier work starts only if no other work is running. */
  most: number;
  /** Work up to this weight is counted, but never waits. Default: 0. */
  light?: number;
}

export class Lane {
  readonly #limits: LaneLimits;
  readonly #queues = new Map<string, Queue>();

  constructor(limits: LaneLimits) {
    this.#limits = limits;
  }

  /** `start` is called at once or after others leave, and must not throw. */
  enter(key: string, weight: number, start: () => void): void {
    const queue = this.#queueOf(key);
    if (weight <= (this.#limits.light ?? 0) || (!queue.first && this.#hasRoom(queue, weight))) {
      queue.used += weight;
      start();
      return;
    }
    const waiter = { weight, start, next: undefined };
    if (queue.first && queue.last) queue.last.next = waiter;
    else queue.first = waiter;
    queue.last = waiter;
  }

  leave(key: string, weight: number): void {
    const queue = this.#queueOf(key);
    queue.used -= weight;
    // `start` may call `leave`, and many nested calls would overflow the stack.
    if (queue.isStarting) return;
    queue.isStarting = true;
    for (let next = queue.first; next && this.#hasRoom(queue, next.weight); next = queue.first) {
      queue.first = next.next;
      queue.used += next.weight;
      next.start();
    }
    queue.isStarting = false;
    if (queue.used === 0) this.#queues.delete(key);
  }

  #hasRoom({ used }: Queue, weight: number): boolean {
    return used === 0 || used + weight <= this.#limits.most;
  }

  #queueOf(key: string): Queue {
    const known = this.#queues.get(key);
    if (known) return known;
    const queue = { used: 0, first: undefined, last: undefined, isStarting: false };
    this.#queues.set(key, queue);
    return queue;
  }
}
