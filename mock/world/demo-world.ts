import { contract } from '../../openapi/contract.ts';
import type { TenantSeed, WorldSeed } from './world-seed.ts';

export const demoSeed = contract.demoWorld as WorldSeed;

export const mostDemoTenants = 1000;

/** Whether the credentials may be shown. Credentials of the demo world are public. */
export function isDemo({ tenants }: { tenants: object }): boolean {
  return Object.values(tenants)[0] === demoSeed.tenants[0];
}

/** Gives parallel tests a tenant each; the first tenants are the same for any number. */
export function demoSeedOf(tenants: number): WorldSeed {
  const own = demoSeed.tenants.slice(0, tenants);
  const others = Array.from({ length: tenants - own.length }, (_, index) =>
    furtherTenant(own.length + index + 1),
  );
  return { tenants: [...own, ...others] };
}

function furtherTenant(number: number): TenantSeed {
  const name = `tenant-${number}`;
  return {
    name: `Tenant ${number}`,
    users: ['ada', 'bo'].map((user) => ({
      username: `${user}@${name}.example`,
      password: `demo-password-${user}`,
    })),
    api_keys: [{ name: 'Automation' }],
    sites: [
      {
        id: number * 100 + 1,
        name: `Site of tenant ${number}`,
        version: 1,
        contents: [
          { title: 'Welcome', text: `The home page of tenant ${number}.`, published: true },
          { title: 'Next season', text: 'Still being written.' },
        ],
        submissions: [{ form: 'contact', fields: { name: 'Noor', message: '您好' } }],
        comments: [{ author: 'Ana', text: 'Good to see you here.' }],
      },
    ],
  };
}
