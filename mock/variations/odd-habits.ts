// Lawful habits of a service that surprise a suite or client. Two can contradict one another, so each is chosen by its name.
import type { Variation } from './variation.ts';

export const oddHabits: readonly Variation[] = [
  {
    id: 'late-effects',
    title:
      'New tokens, API keys and subscriptions are known after 0.7 s, and a deleted API key is still taken for 1.5 s.',
    habits: { unknownAtFirstMs: 700, deletedKeyMs: 1500 },
  },
  {
    id: 'cached-credentials',
    title: 'A deleted API key is still taken for 45 s, and an expired session token for a minute.',
    habits: { deletedKeyMs: 45_000, expiryLagMs: 60_000 },
  },
  {
    id: 'keys-by-session',
    title: 'An API key neither creates nor deletes API keys: whoever does has logged in.',
    habits: { keysBySession: true },
  },
  {
    id: 'any-scheme',
    title: 'A token is taken behind any word in place of Bearer, and as the password of the scheme Basic.',
    habits: { anyScheme: true },
  },
  {
    id: 'swapped-case',
    title: 'A password is taken with its capitals and small letters exchanged, too.',
    habits: { swappedCase: true },
  },
  {
    id: 'late-lists',
    title:
      'Lists show what was there 1.5 s before, and an API key that was deleted counts as long towards the five.',
    habits: { listLagMs: 1500 },
  },
  {
    id: 'slow-creations',
    title:
      'The creation or import of a site takes 3 s, and the window of its repetition begins when it ends.',
    habits: { creationMs: 3000 },
  },
  {
    id: 'lenient-ids',
    title: 'An identifier in a path counts up to its last leading digit: `101x` is taken for 101.',
    habits: { lenientIds: true },
  },
  {
    id: 'text-json',
    title: 'Answers are declared as `text/json`.',
    habits: { answerType: { is: 'text/json' } },
  },
  {
    id: 'plain-answers',
    title: 'Answers are declared as plain text.',
    habits: { answerType: { is: 'text/plain; charset=utf-8' } },
  },
  {
    id: 'untyped-answers',
    title: 'Answers have no Content-Type.',
    habits: { answerType: { is: undefined } },
  },
  {
    id: 'html-outside',
    title: 'Paths and methods that are no endpoint are answered with a page of HTML.',
    habits: { outside: 'html' },
  },
  {
    id: 'nothing-outside',
    title: 'Paths and methods that are no endpoint are answered without a body.',
    habits: { outside: 'empty' },
  },
  {
    id: 'text-ids',
    title: 'Identifiers of sites, contents and API keys are texts in answers.',
    habits: { textIds: true },
  },
  {
    id: 'long-ids',
    title: 'Numeric identifiers have 19 digits, more than a JavaScript number holds.',
    habits: { longIds: true },
  },
  {
    id: 'clock-ahead',
    title: 'The clock of the whole deployment is 6 minutes ahead, and so is the `Date` header.',
    habits: { clockAheadMs: 360_000 },
  },
].map((variation) => ({ ...variation, onlyByName: true }) as Variation);
