/** The results of some rounds, after a first one that does not count, since it compiles the code and fills caches. */
export async function measureRounds<Result>(
  rounds: number,
  measure: () => Promise<Result>,
): Promise<Result[]> {
  await measure();
  const results: Result[] = [];
  for (let round = 0; round < rounds; round++) results.push(await measure());
  return results;
}
