// The signing secrets of the commands that verify pushes or sign them.
import { readSecretLines } from './flags.ts';
import { UsageError } from './usage-error.ts';

const name = 'SITEPUB_WEBHOOK_SECRET';

/** Rejects a secret in a flag, where every process list would show it; `--secret` alone demands one. */
export function refuseSecretInFlag(args: readonly string[]): void {
  const at = args.findIndex((arg) => /^--secret(=|$)/.test(arg));
  const next = args[at + 1] ?? '--';
  if (at === -1 || (args[at] === '--secret' && next.startsWith('--'))) return;
  throw new UsageError(
    `--secret: secrets are not taken from flags, where process lists show them; set ${name} or ${name}_FILE`,
  );
}

/** The secret of SITEPUB_WEBHOOK_SECRET, or each line of the file that SITEPUB_WEBHOOK_SECRET_FILE names. Nothing is trimmed. */
export function readSigningSecrets(
  { isDemanded }: { isDemanded: boolean },
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string[] {
  const { [name]: secret, [`${name}_FILE`]: file } = environment;
  if (secret) return [secret];
  const secrets = file ? readSecretLines(name, file).filter(Boolean) : [];
  if (file && secrets.length === 0) throw new UsageError(`${name}_FILE names ${file}, which holds no secret`);
  if (isDemanded && secrets.length === 0)
    throw new UsageError(`--secret demands a signing secret; set ${name} or ${name}_FILE`);
  return secrets;
}
