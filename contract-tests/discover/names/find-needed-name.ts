/** Finds by halving which of several names a request needs. `passes` sends a request with some of them. */
export async function findNeededName(
  names: readonly string[],
  passes: (some: readonly string[]) => Promise<boolean>,
): Promise<string | undefined> {
  let left = names;
  while (left.length > 1) {
    const half = left.slice(0, Math.ceil(left.length / 2));
    left = (await passes(half)) ? half : left.slice(half.length);
  }
  return left[0];
}
