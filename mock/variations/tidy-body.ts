import { channels, eventNames } from '../../openapi/event-names.ts';
import { isReceivingUrl } from '../world/receiving-url.ts';
import type { Variation } from './variation.ts';

const known: readonly string[] = [...eventNames, ...channels];
const urlWithoutScheme = /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?\//i;

export const lenientNames: Variation = {
  id: 'lenient-names',
  title:
    'Names of events and channels are taken in capitals and with blanks around them, and shown as they are in the document.',
  onlyByName: true,
  subscriptionBody: (body, secret) => tidy(body, secret, tidyName),
};

export const tidiedUrls: Variation = {
  id: 'tidied-urls',
  title: 'Receiving URLs are shown in their normal form, and completed where only their scheme lacks.',
  onlyByName: true,
  subscriptionBody: (body, secret) => tidy(body, secret, tidyUrl),
};

/** Every text of a body, but for that of the field `secret`. */
function tidy(value: unknown, secret: string, tidyText: (text: string) => string): unknown {
  if (typeof value === 'string') return tidyText(value);
  if (Array.isArray(value)) return value.map((item) => tidy(item, secret, tidyText));
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).map(([name, part]) => [
    name,
    name === secret ? part : tidy(part, secret, tidyText),
  ]);
  return Object.fromEntries(parts);
}

function tidyName(text: string): string {
  return known.find((name) => name === text.trim().toLowerCase()) ?? text;
}

function tidyUrl(text: string): string {
  if (urlWithoutScheme.test(text)) return `http://${text}`;
  return isReceivingUrl(text) ? new URL(text).href : text;
}
