/** A part of an answer that was asked for with it; undefined where only its id came, or there is none. */
export const whole = <Part extends object>(part: string | Part | null | undefined): Part | undefined =>
  typeof part === 'object' && part !== null ? part : undefined;

/** The id of a part, however it came; empty where there is none. */
export const idOf = (part: string | { id: string } | null | undefined): string =>
  (typeof part === 'string' ? part : part?.id) ?? '';
