// The world that the mock starts with: two customers as they might be. Their passwords are public on purpose.

import { drawHex, drawText } from './random.ts';
import { digest, digestPassword } from './secrets.ts';
import { createWorld, type World } from './world.ts';

/** What a person or a test needs to act as a tenant; the world itself holds passwords and keys only as digests. */
export interface TenantAccess {
  name: string;
  users: { username: string; password: string }[];
  apiKey: string;
  sites: { id: number; name: string }[];
}

const demoTenants: readonly Omit<TenantAccess, 'apiKey'>[] = [
  {
    name: 'Harbour Café',
    users: [
      { username: 'mei@harbour-cafe.example', password: 'demo-password-mei' },
      { username: 'tom@harbour-cafe.example', password: 'demo-password-tom' },
    ],
    sites: [
      { id: 101, name: '海港咖啡馆' },
      { id: 102, name: 'Harbour Roastery' },
    ],
  },
  {
    name: 'Blumen Zoë',
    users: [{ username: 'zoe@blumenladen.example', password: 'demo-password-zoe' }],
    sites: [{ id: 201, name: 'Zoë’s Blumenladen' }],
  },
];

/** A new demo world and how to get into it. */
export function createDemoWorld(seed: number, now: number): { world: World; tenants: TenantAccess[] } {
  const world = createWorld(seed);
  const tenants = demoTenants.map((tenant, index) => settle(world, tenant, { id: index + 1, now }));
  world.counters.site = 1000;
  return { world, tenants };
}

function settle(
  world: World,
  tenant: Omit<TenantAccess, 'apiKey'>,
  { id, now }: { id: number; now: number },
): TenantAccess {
  world.tenants[id] = { id, name: tenant.name };
  for (const { username, password } of tenant.users) {
    const salt = drawHex(world, 16);
    world.users[username] = { tenantId: id, salt, passwordDigest: digestPassword(salt, password) };
  }
  for (const site of tenant.sites) world.sites[site.id] = { ...site, tenantId: id, version: 0 };
  const apiKey = `sp_${drawText(world, 32)}`;
  world.apiKeys[digest(apiKey)] = { tenantId: id, createdAt: now };
  return { ...structuredClone(tenant), apiKey };
}
