// A world with enough tenants for a measurement at ten logins a minute each.
import type { WorldSeed } from '../../mock/world/world-seed.ts';

export interface Access {
  username: string;
  password: string;
  apiKey: string;
  siteId: number;
}

/** The credentials and the site of a tenant, by its number. */
export function accessTo(number: number): Access {
  const digits = String(number).padStart(6, '0');
  return {
    username: `editor${digits}@tenant.example`,
    password: `bench-password-${digits}`,
    apiKey: `sp_${'benchmark'.repeat(2)}${digits}`,
    siteId: number,
  };
}

/** Tenants with numbers from 1, each with one user, one key and one site. */
export function createBenchWorld(count: number): WorldSeed {
  return {
    tenants: Array.from({ length: count }, (_, index) => {
      const { username, password, apiKey, siteId } = accessTo(index + 1);
      return {
        name: `Tenant ${index + 1}`,
        users: [{ username, password }],
        api_keys: [{ key: apiKey }],
        sites: [{ id: siteId, name: `Site ${siteId}` }],
      };
    }),
  };
}
