// The rules by which the mock hides secrets in its traffic, and the suite in its reports.
import type { OperationId } from './operations.ts';

/** Their answers contain a session token, an API key or a signing secret. */
export const secretAnswers: readonly OperationId[] = ['login', 'refresh', 'createKey', 'createSubscription'];

const secretName =
  /passw|pwd|secret|token|apikey|credential|privatekey|signingkey|accesskey|authorization|sessionid|[cx]srf|^(\w*pass(phrase|code|key)?|psw|pin|otp|jwt|bearer|cookies?)$/;

/** Treats api-key, apiKey and API_KEY alike. */
export function isSecretName(name: string): boolean {
  return secretName.test(plainName(name));
}

export function plainName(name: string): string {
  return name.replace(/[^a-z0-9]/gi, '').toLowerCase();
}

export function isSecretParameter(name: string): boolean {
  return isSecretName(name) || /^(key|sign|sig|signature|code|ticket|sid|session|auth)$/i.test(name);
}

const secretHeader =
  /auth|cookie|token|secret|key|passw|credential|session|[cx]srf|jwt|bearer|signature|ticket|^(x-)?(sign|sid)$/i;

/** Headers that challenge, permit, identify repetitions, or sign a push that is shown with them. */
const openHeader = /^(www|proxy)-authenticate$|^access-control-|idempot|^x-webhook-signature$/i;

/** An unknown header counts as secret. */
export function isSecretHeader(name: string): boolean {
  return secretHeader.test(name) && !openHeader.test(name);
}

export function hideCredential(value: string): string {
  const [, scheme, kind = ''] = /^(Bearer|Basic|Digest) +(st_|sp_)?/i.exec(value) ?? [];
  return scheme === undefined ? '…' : `${scheme} ${kind}…`;
}
