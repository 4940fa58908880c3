// Which calls are limited, and the counting of them in the world (section 8 of the interface document).
import type { OperationId } from '../openapi/operations.ts';
import { rateLimited } from './problems.ts';
import type { Service } from './service.ts';
import { freesAt, liveCalls } from './windows.ts';
import { find, type World } from './world.ts';

const perMinute = 10;

interface Rule {
  name: string;
  /** Whose allowance a call draws on; undefined where that is nobody's. */
  tenantOf(world: World, input: Readonly<Record<string, unknown>>): number | undefined;
  countsFailures(service: Service): boolean;
}

const rules: Partial<Record<OperationId, Rule>> = {
  login: {
    name: 'logins',
    tenantOf: (world, input) => find(world.users, String(input.username))?.tenantId,
    countsFailures: ({ profile }) => profile.values['limits.failed-logins'] === 'counted',
  },
};

interface LimitedCall {
  operation: OperationId;
  input: Readonly<Record<string, unknown>>;
  now: number;
}

/** Refuses a call that is too many. Otherwise counts it, at once or by the function that is to be called when it has succeeded. */
export function drawOnLimit(service: Service, { operation, input, now }: LimitedCall): () => void {
  const rule = rules[operation];
  const tenantId = rule?.tenantOf(service.world, input);
  if (!rule || tenantId === undefined) return countNothing;
  const { limits } = service.world;
  const key = `${rule.name}:${tenantId}`;
  const kind = service.profile.values['limits.window'];
  const live = liveCalls(limits[key] ?? [], now, kind);
  if (live.length >= perMinute)
    throw rateLimited(`${perMinute} ${rule.name} a minute for this tenant`, freesAt(live, kind), now);
  const count = () => {
    limits[key] = [...live, now];
  };
  if (!rule.countsFailures(service)) return count;
  count();
  return countNothing;
}

function countNothing(): void {}
