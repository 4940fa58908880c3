// Records the calls of each check during a run, including the calls of steps that it shares with other checks.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { OperationId } from '../../openapi/operations.ts';
import { HarnessError } from './outcomes.ts';

export interface Cost {
  calls: Calls;
  /** Logins that count towards the limits of the two tenants. */
  logins: Logins;
  steps: string[];
}

/** `created`: the number of resources by operation, without refused and repeated calls. */
export interface RecordedCost extends Cost {
  created: Calls;
}

type Calls = Partial<Record<OperationId, number>>;

export type RecordedCosts = Record<keyof Costs, Record<string, RecordedCost>>;

interface Logins {
  main: number;
  other: number;
}

/** By check id and by step name. */
export interface Costs {
  checks: Record<string, Cost>;
  steps: Record<string, Cost>;
}

/** Only the name of the function is read. */
interface StepMaker {
  readonly name: string;
}

export interface CostRecorder {
  /** Records the calls of `work` for a check or a step. */
  charge<T>(kind: keyof Costs, name: string, work: () => T): T;
  noteCall(id: OperationId): void;
  noteCreated(id: OperationId): void;
  noteLogins(tenant: keyof Logins, count: number): void;
  /** Records that the current check or step uses another step. Returns its name. Throws HarnessError if two functions have the same name. */
  noteStep(make: StepMaker, args: readonly unknown[]): string;
  costs(): RecordedCosts;
}

export function createCostRecorder(): CostRecorder {
  const costs: RecordedCosts = { checks: {}, steps: {} };
  const current = new AsyncLocalStorage<RecordedCost>();
  const makers = new Map<string, StepMaker>();
  return {
    charge: (kind, name, work) => {
      const cost = costs[kind][name] ?? { calls: {}, logins: { main: 0, other: 0 }, steps: [], created: {} };
      costs[kind][name] = cost;
      return current.run(cost, work);
    },
    noteCall: (id) => count(current.getStore()?.calls, id),
    noteCreated: (id) => count(current.getStore()?.created, id),
    noteLogins: (tenant, count) => {
      const logins = current.getStore()?.logins;
      if (logins) logins[tenant] += count;
    },
    noteStep: (make, args) => {
      if ((makers.get(make.name) ?? make) !== make)
        throw new HarnessError(`two functions of shared steps are named ${make.name}`);
      makers.set(make.name, make);
      const name = [make.name, ...args].join(' ');
      const steps = current.getStore()?.steps;
      if (steps && !steps.includes(name)) steps.push(name);
      return name;
    },
    costs: () => costs,
  };
}

function count(counts: Calls | undefined, id: OperationId): void {
  if (counts) counts[id] = (counts[id] ?? 0) + 1;
}

/** The total calls and logins of the checks. Each shared step counts once. */
export function totalOf(
  costs: Costs,
  ids: readonly string[],
): { calls: Map<OperationId, number>; logins: Logins } {
  const logins = { main: 0, other: 0 };
  const all = costsOf(costs, ids);
  for (const cost of all) {
    logins.main += cost.logins.main;
    logins.other += cost.logins.other;
  }
  return { calls: sumOf(all.map(({ calls }) => calls)), logins };
}

export type Creations = Record<keyof Costs, Record<string, Pick<RecordedCost, 'steps' | 'created'>>>;

/** What the checks create together, without the named steps. */
export function createdBy(
  creations: Creations,
  ids: readonly string[],
  without: readonly string[] = [],
): Map<OperationId, number> {
  return sumOf(costsOf(creations, ids, without).map(({ created }) => created));
}

/** The costs of the checks and of their steps, each step once. */
function costsOf<T extends Pick<Cost, 'steps'>>(
  { checks, steps }: Record<keyof Costs, Record<string, T>>,
  ids: readonly string[],
  without: readonly string[] = [],
): T[] {
  const counted = new Set(without);
  const all: T[] = [];
  const add = (cost: T | undefined) => {
    if (!cost) return;
    all.push(cost);
    for (const step of cost.steps) {
      if (counted.has(step)) continue;
      counted.add(step);
      add(steps[step]);
    }
  };
  for (const id of ids) add(checks[id]);
  return all;
}

function sumOf(counts: readonly Calls[]): Map<OperationId, number> {
  const sum = new Map<OperationId, number>();
  for (const [id, some] of counts.flatMap((one) => Object.entries(one)) as [OperationId, number][])
    sum.set(id, (sum.get(id) ?? 0) + some);
  return sum;
}
