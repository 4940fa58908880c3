/** The results of so many rounds. One more comes first and does not count, since it compiles the code and fills caches. */
export async function measureRounds<Result>(
  rounds: number,
  measure: () => Promise<Result>,
): Promise<Result[]> {
  await measure();
  const results: Result[] = [];
  for (let round = 0; round < rounds; round++) results.push(await measure());
  return results;
}
