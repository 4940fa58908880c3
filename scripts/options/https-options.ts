// Whether a mock serves https, and by which certificate.
import type { StartOptions } from '../../mock/start.ts';
import { readPem } from './certificates.ts';
import { type Flags, type Given, switchFlag, textFlag } from './flags.ts';
import { UsageError } from './usage-error.ts';

export const httpsFlags: Flags = {
  https: switchFlag(
    'serve https, by a certificate that is made for it, unless --tls-cert and --tls-key name one',
  ),
  'tls-cert': textFlag(
    'FILE',
    'a certificate of your own (PEM), with those that have signed it; serves https',
  ),
  'tls-key': textFlag('FILE', 'its key (PEM), not encrypted'),
};

export function readHttps(given: Given): Pick<StartOptions, 'https'> {
  const [cert, key] = [readPem(given, 'tls-cert')?.pem, readPem(given, 'tls-key')?.pem];
  if (cert !== undefined && key !== undefined) return { https: { cert, key } };
  if (cert !== undefined) throw new UsageError('--tls-cert needs its key; give --tls-key FILE too');
  if (key !== undefined) throw new UsageError('--tls-key needs a certificate; give --tls-cert FILE too');
  return given.switched('https') ? { https: true } : {};
}
