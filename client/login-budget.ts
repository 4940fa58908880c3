/** A tenant has ten logins a minute; a client uses only half of them, since others log in too. */
const maxLogins = 5;
const windowMs = 60_000;

export interface LoginBudget {
  /** Returns 0 and uses up a login, or returns the milliseconds until the next one. */
  takeLogin(): number;
}

/** Counts logins in a sliding minute. `now` returns milliseconds. */
export function createLoginBudget(now: () => number): LoginBudget {
  const sentAt: number[] = [];
  return {
    takeLogin() {
      const time = now();
      const oldest = sentAt.at(-maxLogins);
      if (oldest !== undefined && time - oldest < windowMs) return oldest + windowMs - time;
      sentAt.push(time);
      if (sentAt.length > maxLogins) sentAt.shift();
      return 0;
    },
  };
}
