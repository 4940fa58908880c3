/** Of the ten logins a minute that a tenant has, one client takes no more than these: others log in too. */
const maxLogins = 5;
const windowMs = 60_000;

export interface LoginBudget {
  /** Takes a login and gives 0, or takes none and gives the milliseconds until there is one. */
  takeLogin(): number;
}

/** A sliding minute. The clock is that of the caller, in milliseconds. */
export function createLoginBudget(now: () => number): LoginBudget {
  const taken: number[] = [];
  return {
    takeLogin() {
      const time = now();
      const oldest = taken.at(-maxLogins);
      if (oldest !== undefined && time - oldest < windowMs) return oldest + windowMs - time;
      taken.push(time);
      if (taken.length > maxLogins) taken.shift();
      return 0;
    },
  };
}
