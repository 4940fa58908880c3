/** A measurement. */
export interface Row {
  id: string;
  measure(scale: Scale): Promise<Outcome>;
}

export interface Scale {
  /** Fewer rounds and requests: to see whether everything works, not for figures. */
  isQuick: boolean;
}

export interface Outcome {
  figures: Figure[];
  /** All measured values, for the JSON file. */
  rounds: readonly unknown[];
  /** How the costs grow, for the drawing. */
  curves?: readonly Curve[];
}

/** The cost of one thing by how much there is besides it. */
export interface Curve {
  name: string;
  /** In microseconds of CPU time. */
  points: readonly { size: number; micros: number }[];
}

/** A line of the table. */
export interface Figure {
  /** The result of the mock, in words. */
  measured: string;
  /** The alternative, and its result. */
  against?: string;
  /** The value that the budget limits. */
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
