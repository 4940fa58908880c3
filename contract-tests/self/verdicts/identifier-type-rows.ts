import { loadProfile, makeProfile, type Profile, statedValues } from '../../../openapi/profile.ts';
import type { Tamper } from '../tampering-proxy.ts';
import { row, type VerdictRow } from './verdict-row.ts';

export const identifierTypeRows: readonly VerdictRow[] = [
  row(
    'text identifiers of content and keys in request bodies',
    { passes: ['EVENT-1', 'EVENT-6', 'EVENT-7', 'EVENT-8', 'KEY-4'] },
    () => ({
      spoken: identifiersInBodies(),
      tamper: () => textIdentifiers,
      options: { tier: 'full', cases: 4 },
    }),
  ),
];

function identifiersInBodies(): Profile {
  const values = {
    ...statedValues(loadProfile('default')),
    'operation.update-content': {
      method: 'POST',
      path: '/tenant/sites/{siteID}/contents/change',
      body: { content: '{contentID}', title: '{title}', text: '{text}' },
      id: '/data/id',
    },
    'operation.delete-key': { method: 'POST', path: '/tenant/keys/revoke', body: { key_id: '{keyID}' } },
  };
  return makeProfile(values, { name: 'identifiers-in-bodies', source: 'test' });
}

/** Turns ids of content and keys into texts in answers, and back into numbers in requests. */
const textIdentifiers: Tamper = async (message, forward) => {
  // Only whole texts, because a secret may contain the same characters.
  const body = Buffer.from(message.body.toString().replace(/"c-(\d+)"/g, '$1'));
  const path = message.path.replace(/\/c-(\d+)(?=\/|$)/g, '/$1');
  const reply = await forward({ ...message, path, body });
  if (!/\/(contents|keys)/.test(message.path)) return reply;
  return { ...reply, body: Buffer.from(reply.body.toString().replace(/"id":(\d+)/g, '"id":"c-$1"')) };
};
