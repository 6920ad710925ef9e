// Stripe names another object by its id, or, where that was asked for, has it whole.

export const whole = <Part extends object>(part: string | Part | null | undefined): Part | undefined =>
  typeof part === 'object' && part !== null ? part : undefined;

export const idOf = (part: string | { id: string } | null | undefined): string =>
  (typeof part === 'string' ? part : part?.id) ?? '';
