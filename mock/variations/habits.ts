/** What a variation changes in the service itself, beside its messages. Each is off when it is left out. */
export interface Habits {
  /** For how long a creation or import of a site is worked on. */
  creationMs?: number;
  /** For how long new tokens, API keys and subscriptions are not known yet. */
  unknownAtFirstMs?: number;
  /** For how long a deleted API key is still taken. */
  deletedKeyMs?: number;
  /** API keys are created and deleted by sessions alone, whatever the profile says. */
  keysBySession?: true;
  /** For how long a session token is taken after its expiry. */
  expiryLagMs?: number;
  /** A token is taken behind any word in place of Bearer, and as the password of Basic. */
  anyScheme?: true;
  /** A password is taken with its capitals and small letters exchanged, too. */
  swappedCase?: true;
  /** For how long lists, and quotas with them, show what was there before. */
  listLagMs?: number;
  /** An identifier counts up to its last leading digit. */
  lenientIds?: true;
  /** By how much the clock of the whole deployment is ahead. */
  clockAheadMs?: number;
  /** What stands outside the endpoints is answered by something else than the service. */
  outside?: 'html' | 'empty';
  /** The type of answers; undefined sends none. */
  answerType?: { is: string | undefined };
  /** Numeric identifiers of sites, contents and keys are texts in answers. */
  textIds?: true;
  /** Numeric identifiers have 19 digits. */
  longIds?: true;
}
