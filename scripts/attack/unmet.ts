// What the campaign tries and does not hold yet. Nothing is recorded before this list is empty.

/** Deployments whose answers are as large as is read, or have as many parts: a command takes more than 120 s or 400 MB with them. */
const unmet = [
  ...['continue-flood', 'large', 'large-message', 'large-trace', 'token-like-texts'],
  ...['many-digits', 'many-items', 'many-members', 'pushes'],
];

/** Whether a trial, by its id, is of those. */
export function isUnmet(id: string): boolean {
  return unmet.some((one) => id.startsWith(`${one} `));
}
