import { operationsOf } from '../../openapi/operations.ts';
import type { Profile } from '../../openapi/profile.ts';
import { resolve } from '../../openapi/resolve.ts';
import { createValidator } from '../../openapi/validate.ts';

export type Spoken = ReturnType<typeof derive>;

/** Keyed by the contents of the profile: each persisted world reads its own copy. */
const spokenByText = new Map<string, WeakRef<Spoken>>();

export function speak(profile: Profile): Spoken {
  const text = JSON.stringify([profile.name, profile.values, [...profile.stated].sort()]);
  const known = spokenByText.get(text)?.deref();
  if (known) return known;
  const derived = derive(profile);
  for (const [other, ref] of spokenByText) if (!ref.deref()) spokenByText.delete(other);
  spokenByText.set(text, new WeakRef(derived));
  return derived;
}

function derive(profile: Profile) {
  const description = resolve(profile);
  return { description, operations: operationsOf(description), validate: createValidator(description) };
}
