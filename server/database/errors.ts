const UNIQUE_VIOLATION = '23505';

/** Whether a statement failed because a row like it exists already, by the named unique constraint or index. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return (
    error instanceof Error && Reflect.get(error, 'code') === UNIQUE_VIOLATION && Reflect.get(error, 'constraint') === constraint
  );
}
