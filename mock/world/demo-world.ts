// The passwords of the demo world are public on purpose.
import type { TenantSeed, WorldSeed } from './world-seed.ts';

export const demoSeed: WorldSeed = {
  tenants: [
    {
      name: 'Harbour Café',
      users: [
        { username: 'mei@harbour-cafe.example', password: 'demo-password-mei' },
        { username: 'tom@harbour-cafe.example', password: 'demo-password-tom' },
      ],
      api_keys: [{ name: 'Reservation sync' }],
      sites: [
        {
          id: 101,
          name: '海港咖啡馆',
          version: 7,
          contents: [
            { title: '春季菜单：樱花拿铁回来了', text: '三月十五日起，每天限量五十杯。', published: true },
            { title: '关于我们', text: '2009 年起，在老码头边为您手冲每一杯咖啡。', published: true },
            {
              title: '营业时间与交通',
              text: '每天 7:30–22:00，地铁二号线“老码头”站 B 口。',
              published: true,
            },
            { title: '中秋礼盒预订（草稿）', text: '礼盒照片待拍摄。' },
          ],
          submissions: [
            {
              form: 'reservation',
              fields: { 姓名: '李雷', 人数: 4, 时间: '周六 19:00', 备注: '靠窗，谢谢' },
            },
            { form: 'newsletter', fields: { email: 'han.meimei@mail.example' } },
          ],
          comments: [
            { author: '阿珍', text: '樱花拿铁太好喝了 🌸，下周还来！' },
            { author: 'Tomás', text: 'Great view of the old pier – and the staff speaks English.' },
          ],
        },
        {
          id: 102,
          name: 'Harbour Roastery',
          version: 2,
          contents: [
            { title: 'Single origin: Yunnan Baoshan', text: 'Notes of plum and black tea.', published: true },
            { title: 'Wholesale price list', text: 'Ask us for volumes above 20 kg.' },
          ],
          submissions: [{ form: 'wholesale', fields: { company: 'Pier 9 Bakery', kilos: 25 } }],
          comments: [{ author: 'Ana', text: 'Do you ship to Lisbon?' }],
        },
      ],
    },
    {
      name: 'Blumen Zoë',
      users: [{ username: 'zoe@blumenladen.example', password: 'demo-password-zoe' }],
      api_keys: [{ name: 'Kasse' }],
      sites: [
        {
          id: 201,
          name: 'Zoë’s Blumenladen',
          contents: [{ title: 'Sträuße der Woche', text: 'Ranunkeln, Tulpen und Forsythien.' }],
          submissions: [{ form: 'bestellung', fields: { strauß: 'Ranunkeln', anzahl: 2 } }],
        },
      ],
    },
  ],
};

export const mostDemoTenants = 1000;

/** Whether the credentials may be shown, since everybody may know those of the demo world. */
export function isDemo(seed: WorldSeed = demoSeed): boolean {
  return seed.tenants[0] === demoSeed.tenants[0];
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
