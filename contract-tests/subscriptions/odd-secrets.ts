// Signing secrets of shapes that some deployments change before they sign.
import type { Context } from '../context.ts';
import { newSecret } from './secret-forms.ts';

const shapes = {
  'longer than a block': (plain: string) =>
    `${plain}-more-than-the-64-bytes-of-a-block-which-a-longer-key-is-hashed-to-first`,
  'outside ASCII': (plain: string) => `${plain}-schlüssel-鑰匙`,
  'with characters that are escaped': (plain: string) => `${plain}-a&b<c>'d+e%20"f\\g`,
  'with decomposed letters': (plain: string) => `${plain}-${'é ü ﬁ Å'.normalize('NFD')}-\u212B`,
  'with blanks at the ends': (plain: string) => `  ${plain}-between-blanks `,
  hexadecimal: (plain: string) => Buffer.from(plain).toString('hex').padEnd(64, '0'),
  'in base64': (plain: string) => Buffer.from(`${plain}?>~`.padEnd(35)).toString('base64'),
} as const;

export type SecretShape = keyof typeof shapes;

/** A new signing secret of an unusual shape. */
export function newOddSecret(context: Context, shape: SecretShape): string {
  return shapes[shape](newSecret(context));
}
