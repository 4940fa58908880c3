/** The name of the world whose console lies at this path; undefined for that of the mock itself. */
export function worldNameIn(path: string): string | undefined {
  return /\/w\/([\w.-]+)\/_mock\//.exec(path)?.[1];
}
