// What a description requires of nearly all calls, such as a header that names the tenant: it is given once for all, and says nothing of one operation.
import type { Demand, DescribedOperation } from '../described-operation.ts';

export interface Demanding {
  /** With what they require besides. */
  operations: DescribedOperation[];
  /** Sentences for people, on what all calls need. */
  notes: string[];
}

/** So many operations have to agree before it is usual. */
const fewest = 3;

/** `given`: names of headers that are sent with every call, in any letters. */
export function withoutUsualDemands(
  operations: readonly DescribedOperation[],
  given: readonly string[],
): Demanding {
  const known = new Set(given.map((name) => `header ${name.toLowerCase()}`));
  const described = operations.filter(({ seen }) => !seen);
  const demands = described.flatMap((one) => one.demands ?? []).filter((one) => one.in !== 'body');
  const usual = [...Map.groupBy(demands, keyOf)].filter(
    ([, all]) => all.length >= fewest && all.length > described.length / 2,
  );
  const isUsual = (key: string) => usual.some(([one]) => one === key);
  return {
    operations: operations.map((one) => ({
      ...one,
      demands: (one.demands ?? []).filter((demand) => !known.has(keyOf(demand)) && !isUsual(keyOf(demand))),
    })),
    notes: usual
      .filter(([key]) => !known.has(key))
      .map(([, all]) => sayUsual(all, `${all.length} of ${described.length} operations`)),
  };
}

function keyOf({ in: place, name }: Demand): string {
  return `${place} ${name.toLowerCase()}`;
}

function sayUsual([demand]: readonly Demand[], who: string): string {
  const advice =
    demand?.in === 'header' ? ': give it with --header, in runs too' : ', which no call of sitepub carries';
  return `${who} require the ${demand?.in} ${demand?.name}${advice}`;
}

/** What speaks against being sure of a call. */
export function sayDemand({ in: place, name }: Demand): string {
  return place === 'body'
    ? `its body is of the type ${name}, and that of a profile is JSON`
    : `it requires the ${place} ${name}`;
}
