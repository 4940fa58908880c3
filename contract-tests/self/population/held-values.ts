// What is lawful, and not drawn: the receiver of the suite has neither https nor a public address, so nothing about pushes would be tried.

/** Values of gaps. */
export const heldValues: Readonly<Record<string, readonly unknown[]>> = {
  'subscription.url-rule': ['https-only', 'public-only'],
};

/** Variations that are chosen by their name. */
export const heldVariations: readonly string[] = [];
