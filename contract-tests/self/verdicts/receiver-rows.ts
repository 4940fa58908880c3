// Deployments that do not push to the receiver: checks of pushes are not verified, and a note says why.
import type { RootMock } from '../../../mock/server/create-mock.ts';
import { isCreation, jsonOf, refuse, withBody } from '../tampering.ts';
import type { Message, Tamper } from '../tampering-proxy.ts';
import { row, type VerdictRow } from './verdict-row.ts';

const full = { tier: 'full', cases: 4 } as const;
const nobody = 'http://127.0.0.1:65534/';
const toNobody = (message: Message) => withBody(message, (body) => ({ ...body, url: nobody }));

export const receiverRows: readonly VerdictRow[] = [
  row(
    'only receivers at public addresses',
    {
      passes: ['HOOK-1', 'HOOK-5', 'AUTH-1'],
      leavesOpen: ['HOOK-10'],
      notes: ["accepts no subscription to the suite's receiver"],
    },
    () => ({ tamper: () => publicOnly, options: full }),
  ),
  row(
    "only chat robots at their vendors' addresses",
    { passes: ['HOOK-10', 'SIG-1', 'SIG-4'], leavesOpen: ['CHAN-1', 'CHAN-2', 'CHAN-3', 'SIG-5'] },
    () => ({ tamper: () => makersOnly, options: full }),
  ),
  row(
    'a receiver whose public address leads nowhere',
    {
      leavesOpen: ['HOOK-10', 'EVENT-1', 'SIG-4', 'RETRY-1', 'LOG-1', 'CHAN-3'],
      notes: [
        "--receiver-url http://127.0.0.1:65534/hooks does not lead to the suite's receiver (connect ECONNREFUSED 127.0.0.1:65534); no push can be seen",
      ],
    },
    () => ({ options: { ...full, receiver: { url: 'http://127.0.0.1:65534/hooks' } } }),
  ),
  row(
    'a receiver that the deployment cannot reach',
    { notes: ["no push has reached the suite's receiver"] },
    () => ({ sabotage: pushNothing, options: full }),
  ),
];

const publicOnly: Tamper = async (message, forward) => {
  const { url } = jsonOf(message.body);
  if (typeof url !== 'string') return forward(message);
  if (isCreation(message) && /^http:\/\/127\./.test(url)) return refuse(400, 40002);
  // The mock must not push to this external address.
  return forward(url.startsWith('https://hooks.') ? toNobody(message) : message);
};

const makersOnly: Tamper = async (message, forward) => {
  const { channel, url } = jsonOf(message.body);
  const isRobot = isCreation(message) && ['wecom', 'dingtalk', 'feishu'].includes(String(channel));
  if (!isRobot) return forward(message);
  if (!/qyapi\.weixin\.qq\.com|oapi\.dingtalk\.com|open\.feishu\.cn/.test(String(url)))
    return refuse(400, 40002);
  const reply = await forward(toNobody(message));
  return { ...reply, body: Buffer.from(reply.body.toString().replace(nobody, String(url))) };
};

function pushNothing(mock: RootMock): void {
  mock.dispatcher.test = async () => false;
  mock.dispatcher.queue = () => {};
  mock.dispatcher.emit = () => [];
}
