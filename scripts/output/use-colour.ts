type Environment = Readonly<Record<string, string | undefined>>;

/** Whether to colour what is written to a stream: on a terminal, unless NO_COLOR or FORCE_COLOR say otherwise. */
export function usesColour({ isTTY }: { isTTY?: boolean }, environment: Environment = process.env): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return !/^(0|false)$/i.test(FORCE_COLOR);
  return Boolean(isTTY) && !NO_COLOR && TERM !== 'dumb';
}
