// The flags of the commands for receivers of webhooks.
import { reportFlags } from './deployment-flags.ts';
import { flags } from './flags.ts';

export const listenFlags = flags({
  '--listen <HOST:PORT>': 'where to listen (default: 127.0.0.1:4020; port 0 for any free one)',
  '--respond <STEP…>':
    'answers to the pushes in turn, the last one repeated: statuses, timeout, reset (default: 200, and 401 when the signature is wrong)',
  '-f, --forward-to <URL>':
    'pass each push on to this address as it came, whether it is verified or not, and answer as that answers',
  '--secret': 'refuse to start without a signing secret',
  '--json': 'print one line of JSON when ready, and one for each push',
});

export const listenNotes = `SITEPUB_WEBHOOK_SECRET       the signing secret; without it nothing is verified
SITEPUB_WEBHOOK_SECRET_FILE  or the file that holds it; several lines are several secrets, any of which is accepted`;

export const testReceiverFlags = {
  ...flags({
    '--secret': 'require SITEPUB_WEBHOOK_SECRET; without a secret nothing can be verified',
    '--site-id <ID>':
      'a site that the receiver knows, which the pushes are about (default: 101) [SITEPUB_SITE_ID]',
    '--site-name <NAME>': 'the name of that site (default: Harbour Books)',
    '--events <EVENT…>': 'the events that the receiver is subscribed to (default: whichever it accepts)',
    '--profile <P>': 'format of the pushes: path of a profile, or name of a packaged one [SITEPUB_PROFILE]',
    '--only <ID…>': 'only these: RECV-1, RECV-2, advice, or ids of checks',
    '--skip <ID…>': 'not these',
    '--timeout <TIME>': 'how long an answer may take (default: 10s)',
  }),
  ...reportFlags,
  ...flags({ '--dry-run': 'send nothing; list the checks, and what they would send' }),
};

export const testReceiverNotes = `A receiver may refuse sites that it does not know, and events to which it is not subscribed: without --site-id, --site-name and --events such a refusal leaves things not verified.
The secret comes from the environment, or from the first line of a file: SITEPUB_WEBHOOK_SECRET, SITEPUB_WEBHOOK_SECRET_FILE.

Exit codes: 0 what was verified holds (warnings aside), 1 the receiver failed, 2 usage or profile, 3 the receiver can't be reached or nothing could be verified, 4 the test itself failed, 130 the run was interrupted.`;
