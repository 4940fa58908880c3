/** One thing that is measured. */
export interface Row {
  id: string;
  measure(scale: Scale): Promise<Outcome>;
}

export interface Scale {
  /** Fewer rounds and requests: to see whether all works, not for figures. */
  isQuick: boolean;
}

export interface Outcome {
  figures: Figure[];
  /** All that was measured, for the JSON file. */
  rounds: readonly unknown[];
}

/** A line of the table. */
export interface Figure {
  /** What the mock did, as a person reads it. */
  measured: string;
  /** The alternative by name, and what it did. */
  against?: string;
  /** The value that the budget is about. */
  value: number;
  unit?: string;
  budget?: Budget;
}

export interface Budget {
  kind: 'at least' | 'at most';
  value: number;
}

export function isWithin({ value, budget }: Figure): boolean | undefined {
  if (!budget) return undefined;
  return budget.kind === 'at least' ? value >= budget.value : value <= budget.value;
}
