/** Formats times for the `Date` header; each second is formatted once. */
export function createHttpDate(): (at: number) => string {
  let second = Number.NaN;
  let text = '';
  return (at) => {
    const current = Math.floor(at / 1000);
    if (current === second) return text;
    second = current;
    text = new Date(at).toUTCString();
    return text;
  };
}
