// Signing secrets. The document sets no rule for them, so a deployment may: the run uses a form that is taken.
import { createHash } from 'node:crypto';
import type { Context } from '../context.ts';

/** Forms of secrets, each made of a text that no other secret of any run has; the first one is the usual one. */
const forms: readonly ((text: string) => string)[] = [
  (text) => `S3cr3t-${text}`,
  (text) => `S3cr3t${digest(text, 'hex').slice(0, 10)}`,
  (text) => `S3cr3t${digest(text, 'hex').slice(0, 26)}`,
  (text) => `S3cr3t${digest(text, 'hex').slice(0, 42)}`,
  (text) => digest(text, 'hex'),
  (text) => digest(text, 'base64'),
  (text) => `whsec_${digest(text, 'base64')}`,
  (text) => `S3cr3t!_${digest(text, 'base64')}`,
];

/** The length from which on a rule may take secrets. */
const longFrom = 32;

export const formCount = forms.length;

/** A new signing secret. */
export function newSecret(context: Context): string {
  return secretOf(context, context.secretForm);
}

/** A new signing secret of one of the forms. */
export function secretOf({ runId, nextNumber }: Context, form: number): string {
  const make = forms[form] ?? String;
  return make(`${runId}-${nextNumber()}`);
}

/** Makes a secret as long as the run's secrets have to be. */
export function lengthen({ secretForm }: Context, secret: string): string {
  return isLong(secretForm) ? secret.padEnd(longFrom + 16, '0') : secret;
}

/** Whether all secrets of a form are long. */
export function isLong(form: number): boolean {
  return form >= 2;
}

function digest(text: string, encoding: 'hex' | 'base64'): string {
  return createHash('sha256').update(text).digest(encoding);
}
