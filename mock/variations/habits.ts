/** What a variation changes in the service's own behaviour; a missing member changes nothing. */
export interface Habits {
  /** The duration of a creation or import of a site. */
  creationMs?: number;
  /** The delay until new tokens, API keys and subscriptions are known. */
  unknownAtFirstMs?: number;
  /** How long a deleted API key is still accepted. */
  deletedKeyMs?: number;
  /** Only sessions create and delete API keys, whatever the profile says. */
  keysBySession?: true;
  /** How long a session token is accepted after its expiry. */
  expiryLagMs?: number;
  /** Accepts a token after any scheme, and as the password of Basic. */
  anyScheme?: true;
  /** Also accepts a password with upper and lower case swapped. */
  swappedCase?: true;
  /** How far lists and quotas lag behind. */
  listLagMs?: number;
  /** Reads an identifier up to its last leading digit: 101x as 101. */
  lenientIds?: true;
  clockAheadMs?: number;
  /** Answers unknown paths and methods as a web server in front of the service would. */
  outside?: 'html' | 'empty';
  /** The Content-Type of answers; undefined omits it. */
  answerType?: { is: string | undefined };
  /** Numeric identifiers of sites, contents and keys become strings in answers. */
  textIds?: true;
  /** Numeric identifiers have 19 digits, beyond 2^53. */
  longIds?: true;
}
