// What each check costs in calls, recorded during a run: its own calls, and those of the steps that it shares with others.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { OperationId } from '../../openapi/operations.ts';
import { HarnessError } from './outcomes.ts';

/** Calls by operation, and the names of the shared steps whose results are used. */
export interface Cost {
  calls: Calls;
  /** Logins that count towards the limit of the tenant under test, and of the other tenant. */
  logins: Logins;
  steps: string[];
}

/** A cost, and what came into being, by the operation that creates it: a call that is refused, or a repeat, creates nothing. */
export interface RecordedCost extends Cost {
  created: Calls;
}

type Calls = Partial<Record<OperationId, number>>;

export type RecordedCosts = Record<keyof Costs, Record<string, RecordedCost>>;

interface Logins {
  main: number;
  other: number;
}

/** The costs of checks by id, and of shared steps by name. */
export interface Costs {
  checks: Record<string, Cost>;
  steps: Record<string, Cost>;
}

/** The function that makes a step; only its name is read. */
interface StepMaker {
  readonly name: string;
}

export interface CostRecorder {
  /** Charges the calls that `work` makes to a check or a step. */
  charge<T>(kind: keyof Costs, name: string, work: () => T): T;
  noteCall(id: OperationId): void;
  noteCreated(id: OperationId): void;
  noteLogins(tenant: keyof Logins, count: number): void;
  /** Notes that the current check or step uses another step, and returns the name of that one. Throws HarnessError where two functions share a name. */
  noteStep(make: StepMaker, args: readonly unknown[]): string;
  costs(): RecordedCosts;
}

/** A recorder for one run. */
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
        throw new HarnessError(`two functions that make shared steps have the name ${make.name}`);
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

/** The calls and logins of some checks together. */
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

/** What each check and step creates, as a run has shown. */
export type Creations = Record<keyof Costs, Record<string, Pick<RecordedCost, 'steps' | 'created'>>>;

/** What some checks create together; `without` names steps that are not made. */
export function createdBy(
  creations: Creations,
  ids: readonly string[],
  without: readonly string[] = [],
): Map<OperationId, number> {
  return sumOf(costsOf(creations, ids, without).map(({ created }) => created));
}

/** The costs of some checks and of the steps that they use; each shared step counts once. */
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
