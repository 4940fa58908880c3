// The flags of the commands for webhook receivers.
import { reportFlags } from './deployment-flags.ts';
import { flags } from './flags.ts';

export const listenFlags = flags({
  '--listen <HOST:PORT>': 'address to listen on, with port 0 for any free port (default: 127.0.0.1:4020)',
  '--respond <STEP…>':
    'answers to successive pushes; the last one repeats: a status, timeout or reset (default: 200, or 401 for an invalid signature)',
  '-f, --forward-to <URL>':
    'forward every push unchanged to this URL, even with an invalid signature, and return its answer',
  '--secret': 'exit if no signing secret is set',
  '--json': 'print one line of JSON when ready, and one per push',
});

export const listenNotes = `SITEPUB_WEBHOOK_SECRET       the signing secret; without it, listen does not verify signatures
SITEPUB_WEBHOOK_SECRET_FILE  a file with one or more secrets, one per line; a push may be signed with any of them`;

export const testReceiverFlags = {
  ...flags({
    '--secret': 'exit if no signing secret is set',
    '--site-id <ID>':
      'id of the site in the pushes; the receiver must know it (default: 101) [SITEPUB_SITE_ID]',
    '--site-name <NAME>': 'name of that site (default: Harbour Books)',
    '--events <EVENT…>': 'events that the receiver subscribes to (default: all events that it accepts)',
    '--profile <P>':
      'profile that defines the format of the pushes: a path, or the name of a packaged profile [SITEPUB_PROFILE]',
    '--only <ID…>': 'run only these: RECV-1, RECV-2, advice, or check ids',
    '--skip <ID…>': 'skip these: RECV-1, RECV-2, advice, or check ids',
    '--timeout <TIME>': 'timeout of one push (default: 10s)',
  }),
  ...reportFlags,
  ...flags({ '--dry-run': 'send nothing; list the checks and the pushes that they would send' }),
};

export const testReceiverNotes = `A receiver may reject unknown sites, and events that it is not subscribed to. Pass a site and events that it accepts with --site-id, --site-name and --events. Otherwise some requirements may remain not verified.

SITEPUB_WEBHOOK_SECRET       the signing secret; without it, no requirement can be verified
SITEPUB_WEBHOOK_SECRET_FILE  a file with the secret on its first line`;

export const testReceiverExitCodes = {
  0: 'no verified requirement failed; there may be warnings',
  1: 'the receiver failed a requirement',
  2: 'usage error or invalid profile',
  3: 'the receiver cannot be reached, or a requirement could not be verified',
  4: 'internal error, or a file could not be written',
  130: 'interrupted',
};
