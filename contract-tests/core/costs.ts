// What each check costs in calls, recorded during a run: its own calls, and those of the steps that it shares with others.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { OperationId } from '../../openapi/operations.ts';
import { HarnessError } from './outcomes.ts';

/** Calls by operation, and the names of the shared steps whose results are used. */
export interface Cost {
  calls: Partial<Record<OperationId, number>>;
  /** Logins that count towards the limit of the tenant under test, and of the other tenant. */
  logins: Logins;
  steps: string[];
}

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
  noteLogins(tenant: keyof Logins, count: number): void;
  /** Notes that the current check or step uses another step, and returns the name of that one. Throws HarnessError where two functions share a name. */
  noteStep(make: StepMaker, args: readonly unknown[]): string;
  costs(): Costs;
}

/** A recorder for one run. */
export function createCostRecorder(): CostRecorder {
  const costs: Costs = { checks: {}, steps: {} };
  const current = new AsyncLocalStorage<Cost>();
  const makers = new Map<string, StepMaker>();
  return {
    charge: (kind, name, work) => {
      const cost = costs[kind][name] ?? { calls: {}, logins: { main: 0, other: 0 }, steps: [] };
      costs[kind][name] = cost;
      return current.run(cost, work);
    },
    noteCall: (id) => {
      const calls = current.getStore()?.calls;
      if (calls) calls[id] = (calls[id] ?? 0) + 1;
    },
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

/** The calls and logins of some checks together; each shared step counts once. */
export function totalOf(
  costs: Costs,
  ids: readonly string[],
): { calls: Map<OperationId, number>; logins: Logins } {
  const calls = new Map<OperationId, number>();
  const logins = { main: 0, other: 0 };
  const counted = new Set<string>();
  const add = (cost: Cost | undefined) => {
    if (!cost) return;
    for (const [id, count] of Object.entries(cost.calls) as [OperationId, number][])
      calls.set(id, (calls.get(id) ?? 0) + count);
    logins.main += cost.logins.main;
    logins.other += cost.logins.other;
    for (const step of cost.steps) {
      if (counted.has(step)) continue;
      counted.add(step);
      add(costs.steps[step]);
    }
  };
  for (const id of ids) add(costs.checks[id]);
  return { calls, logins };
}
