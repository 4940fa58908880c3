// What holds a secret, by its name: one rule for what the mock shows of its traffic and for what the suite reports of a deployment.
import type { OperationId } from './operations.ts';

/** The operations that answer with a session token, an API key or a signing secret. */
export const secretAnswers: readonly OperationId[] = ['login', 'refresh', 'createKey', 'createSubscription'];

const secretName =
  /passw|pwd|secret|token|apikey|credential|privatekey|signingkey|accesskey|authorization|sessionid|[cx]srf|^(\w*pass(phrase|code|key)?|psw|pin|otp|jwt|bearer|cookies?)$/;

/** Whether a member of a JSON object holds a secret; api-key, apiKey and API_KEY are the same name. */
export function isSecretName(name: string): boolean {
  return secretName.test(plainName(name));
}

/** A name in lower case, without what is no letter and no digit. */
export function plainName(name: string): string {
  return name.replace(/[^a-z0-9]/gi, '').toLowerCase();
}

export function isSecretParameter(name: string): boolean {
  return isSecretName(name) || /^(key|sign|sig|signature|code|ticket|sid|session|auth)$/i.test(name);
}

const secretHeader =
  /auth|cookie|token|secret|key|passw|credential|session|[cx]srf|jwt|bearer|signature|ticket|^(x-)?(sign|sid)$/i;

/** They challenge, permit, tell repetitions apart, or sign a push that is shown beside them. */
const openHeader = /^(www|proxy)-authenticate$|^access-control-|idempot|^x-webhook-signature$/i;

/** Whether a header holds a secret. In doubt it does. */
export function isSecretHeader(name: string): boolean {
  return secretHeader.test(name) && !openHeader.test(name);
}

/** What is shown of the value of such a header: the scheme, and the kind of the token. */
export function hideCredential(value: string): string {
  const [, scheme, kind = ''] = /^(Bearer|Basic|Digest) +(st_|sp_)?/i.exec(value) ?? [];
  return scheme === undefined ? '…' : `${scheme} ${kind}…`;
}
