// Stripe references an object by its id, or includes it if the request expands it.

export const getExpanded = <Part extends object>(part: string | Part | null | undefined): Part | undefined =>
  typeof part === 'object' && part !== null ? part : undefined;

export const getExpandedId = (part: string | { id: string } | null | undefined): string =>
  (typeof part === 'string' ? part : part?.id) ?? '';
