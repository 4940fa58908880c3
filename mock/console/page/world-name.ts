/** Returns undefined for the main world, whose console has no name in its path. */
export function worldNameIn(path: string): string | undefined {
  return /\/w\/([\w.-]+)\/_mock\//.exec(path)?.[1];
}
