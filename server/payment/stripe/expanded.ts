// Stripe references an object by its id, or includes the object if the request expands it.

export const getExpanded = <StripeObject extends object>(
  reference: string | StripeObject | null | undefined,
): StripeObject | undefined => (typeof reference === 'object' && reference !== null ? reference : undefined);

/** Returns the id of a referenced object, expanded or not; empty without a reference. */
export const getExpandedId = (reference: string | { id: string } | null | undefined): string =>
  (typeof reference === 'string' ? reference : reference?.id) ?? '';
