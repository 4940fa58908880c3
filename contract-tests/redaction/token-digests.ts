// The tokens of a deployment that gives away more than anybody can keep: a digest each, so that at least their plain form is hidden.
import { createHash } from 'node:crypto';

interface TokenDigests {
  add(token: string): void;
  hideIn(text: string): string;
}

/** A deployment that gives away still more has no secrets. */
const mostDigests = 100_000;

const wholeToken = /[\w.~+/=-]{8,}/g;

export function createTokenDigests(): TokenDigests {
  const digests = new Set<string>();
  return {
    add: (token) => {
      if (digests.size < mostDigests) digests.add(digestOf(token));
    },
    hideIn: (text) => {
      if (digests.size === 0) return text;
      return text.replace(wholeToken, (token) => (digests.has(digestOf(token)) ? '{SITEPUB_TOKEN}' : token));
    },
  };
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64').slice(0, 16);
}
