// The shapes that the entries of a world have had: what a newer version of sitepub changes in them, and how an older one reads them.
import type { RowChange } from './row.ts';

/** Leads from one format to the next, and back. Heads and entries are what their JSON says; kinds are those of world/collections.ts. A step is never changed: stores have worlds of each format. */
export interface FormatStep {
  raiseHead(head: unknown): unknown;
  lowerHead(head: unknown): unknown;
  raise(entry: unknown, kind: number): unknown;
  /** For replicas of the version before. */
  lower(entry: unknown, kind: number): unknown;
}

/** The first leads from format 1 to format 2. */
export const formatSteps: readonly FormatStep[] = [];

export interface Formats {
  /** The format of this version of sitepub. */
  newest: number;
  /** The head as it is in another format, as JSON; of a world without rows, nothing. */
  head(head: string, from: number, to: number): string;
  /** The same with the rows. */
  translate<Part extends WorldPart>(part: Part, from: number, to: number): Part;
}

/** A world, or changes in it. */
interface WorldPart {
  head: string | undefined;
  rows: readonly RowChange[];
}

export function createFormats(steps: readonly FormatStep[]): Formats {
  function convert(
    value: unknown,
    [from, to]: readonly [number, number],
    { raise, lower }: Record<'raise' | 'lower', (step: FormatStep, value: unknown) => unknown>,
  ): unknown {
    const passed = steps.slice(Math.min(from, to) - 1, Math.max(from, to) - 1);
    return from < to
      ? passed.reduce((now, step) => raise(step, now), value)
      : passed.reduceRight((now, step) => lower(step, now), value);
  }

  function head(text: string, from: number, to: number): string {
    if (from === to || text === '') return text;
    return JSON.stringify(
      convert(JSON.parse(text), [from, to], {
        raise: (step, now) => step.raiseHead(now),
        lower: (step, now) => step.lowerHead(now),
      }),
    );
  }

  function row(each: RowChange, from: number, to: number): RowChange {
    if (each.value === undefined) return each;
    const value = convert(JSON.parse(each.value), [from, to], {
      raise: (step, now) => step.raise(now, each.kind),
      lower: (step, now) => step.lower(now, each.kind),
    });
    return { ...each, value: JSON.stringify(value) };
  }

  return {
    newest: steps.length + 1,
    head,
    translate(part, from, to) {
      if (from === to) return part;
      return {
        ...part,
        head: part.head === undefined ? undefined : head(part.head, from, to),
        rows: part.rows.map((each) => row(each, from, to)),
      };
    },
  };
}

/** Told of a world of a format that is not known yet. */
export function sayTooNew(place: string, format: number, { newest }: Formats): string {
  return `store ${place}: a world in it is of format ${format}, and this version of sitepub reads those up to ${newest}; use the version that the other mocks have`;
}
