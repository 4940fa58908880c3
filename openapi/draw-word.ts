/** Returns 32 random bits of mulberry32; `source` is its state. */
export function drawWord(source: { random: number }): number {
  source.random = (source.random + 0x6d2b79f5) | 0;
  let mixed = Math.imul(source.random ^ (source.random >>> 15), source.random | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}
