import type { Variation } from './variation.ts';

export const splitSeconds: Variation = {
  id: 'split-seconds',
  title: '`X-Webhook-Timestamp` has a fraction.',
  onlyByName: true,
  pushHeaders: (headers) => {
    const { 'X-Webhook-Timestamp': timestamp } = headers;
    return timestamp === undefined ? headers : { ...headers, 'X-Webhook-Timestamp': `${timestamp}.25` };
  },
};
