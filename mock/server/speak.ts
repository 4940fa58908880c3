// What a mock speaks: the description of its profile.
import type { Description } from '../../openapi/description.ts';
import { type Operation, operationsOf } from '../../openapi/operations.ts';
import type { Profile } from '../../openapi/profile.ts';
import { resolve } from '../../openapi/resolve.ts';
import { createValidator, type Validator } from '../../openapi/validate.ts';

/** What a profile comes to; worlds and mocks of the same profile share it. */
export interface Spoken {
  description: Description;
  operations: readonly Operation[];
  validate: Validator;
}

/** By what the profile says: each world that a store keeps has read its own. */
const known = new Map<string, WeakRef<Spoken>>();

export function speak(profile: Profile): Spoken {
  const text = JSON.stringify([profile.name, profile.values, [...profile.stated].sort()]);
  const spoken = known.get(text)?.deref();
  if (spoken) return spoken;
  for (const [other, ref] of known) if (!ref.deref()) known.delete(other);
  const derived = derive(profile);
  known.set(text, new WeakRef(derived));
  return derived;
}

function derive(profile: Profile): Spoken {
  const description = resolve(profile);
  return { description, operations: operationsOf(description), validate: createValidator(description) };
}
