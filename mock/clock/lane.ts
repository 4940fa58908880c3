// Limits what is under way at a time; the rest waits for its turn, in order.

interface Waiter {
  weight: number;
  start: () => void;
  next: Waiter | undefined;
}

interface Queue {
  used: number;
  /** The first and the last waiter. They are linked, since taking the first off an array would move all others. */
  first: Waiter | undefined;
  last: Waiter | undefined;
  isStarting: boolean;
}

interface LaneLimits {
  /** The weight under way at a time, for each key. What is alone is always let in. */
  most: number;
  /** Work of at most this weight is counted, and never waits. Default: none. */
  light?: number;
}

export class Lane {
  readonly #limits: LaneLimits;
  readonly #queues = new Map<string, Queue>();

  constructor(limits: LaneLimits) {
    this.#limits = limits;
  }

  /** Takes a place if there is one, which `leave` gives back. */
  take(key: string, weight = 1): boolean {
    const queue = this.#queueOf(key);
    const mayEnter = weight <= (this.#limits.light ?? 0) || (!queue.first && this.#hasRoom(queue, weight));
    if (mayEnter) queue.used += weight;
    return mayEnter;
  }

  /** Starts at once, or when there is a place. What starts must not throw. */
  enter(key: string, weight: number, start: () => void): void {
    if (this.take(key, weight)) {
      start();
      return;
    }
    const queue = this.#queueOf(key);
    const waiter = { weight, start, next: undefined };
    if (queue.first && queue.last) queue.last.next = waiter;
    else queue.first = waiter;
    queue.last = waiter;
  }

  leave(key: string, weight = 1): void {
    const queue = this.#queueOf(key);
    queue.used -= weight;
    // Work may leave while it starts: many such calls must not nest.
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
