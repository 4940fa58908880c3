// The flags of the commands for receivers of webhooks.
import { reportFlags } from './deployment-flags.ts';
import { flags } from './flags.ts';

export const listenFlags = flags({
  '--listen <HOST:PORT>': 'address to listen on (default: 127.0.0.1:4020; port 0 for any free one)',
  '--respond <STEP…>':
    'answers to the pushes in turn, the last one repeated: a status, timeout or reset (default: 200, or 401 for a wrong signature)',
  '-f, --forward-to <URL>':
    'forward each push unchanged to this URL, verified or not, and answer as that URL answers',
  '--secret': 'refuse to start without a signing secret',
  '--json': 'print one line of JSON when ready, and one for each push',
});

export const listenNotes = `SITEPUB_WEBHOOK_SECRET       the signing secret; without one, listen verifies nothing
SITEPUB_WEBHOOK_SECRET_FILE  a file with one or more secrets, one a line; a push may be signed with any of them`;

export const testReceiverFlags = {
  ...flags({
    '--secret': 'refuse to start without a signing secret',
    '--site-id <ID>':
      'a site that the receiver knows; the pushes are about it (default: 101) [SITEPUB_SITE_ID]',
    '--site-name <NAME>': 'the name of that site (default: Harbour Books)',
    '--events <EVENT…>': 'the events to which the receiver is subscribed (default: any that it accepts)',
    '--profile <P>':
      'profile with the format of the pushes: a path, or the name of a packaged one [SITEPUB_PROFILE]',
    '--only <ID…>': 'run only these: RECV-1, RECV-2, advice, or ids of checks',
    '--skip <ID…>': 'leave these out: RECV-1, RECV-2, advice, or ids of checks',
    '--timeout <TIME>': 'longest time for one answer (default: 10s)',
  }),
  ...reportFlags,
  ...flags({ '--dry-run': 'send nothing; list the checks, and what they would send' }),
};

export const testReceiverNotes = `A receiver may refuse sites that it does not know and events that it is not subscribed to. Name them with --site-id, --site-name and --events; otherwise a refusal leaves requirements not verified.

SITEPUB_WEBHOOK_SECRET       the signing secret; without one, nothing is verified
SITEPUB_WEBHOOK_SECRET_FILE  a file with the secret in its first line`;

export const testReceiverExitCodes = {
  0: 'no verified requirement failed; there may be warnings',
  1: 'the receiver failed a requirement',
  2: 'wrong usage or profile',
  3: 'the receiver cannot be reached, or a requirement could not be verified',
  4: 'the suite itself failed, or a file could not be written',
  130: 'interrupted',
};
