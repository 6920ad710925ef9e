/** Parsed text, or undefined when it is no JSON. */
export const parsed = (text: string, revive?: (name: string, value: unknown) => unknown): unknown => {
  try {
    return JSON.parse(text, revive) as unknown;
  } catch {
    return undefined;
  }
};
